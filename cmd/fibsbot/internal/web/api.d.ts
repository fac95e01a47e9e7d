// What the HTTP API answers the pages. Nothing loads this file: tsc checks the scripts with it.

/* Questions and answers, made of the HTTP API: go test ./cmd/fibsbot/internal/web/browser -run types -update */

export interface ActRequest {
  confirm?: boolean;
  dice?: number[] | null;
  illegal?: boolean;
  kind: string;
  level?: number;
  play?: string;
  spent_ms?: number;
  tutor?: number;
  version: number;
}

export interface AnalyseRequest {
  again?: boolean;
  limit?: number;
  preset?: string;
}

export interface Analysing {
  automatic: boolean;
  failed: number;
  job?: string;
  left: number;
  match?: string;
  matches: number;
}

export interface CollectRequest {
  beavers?: number | null;
  board?: [number[], number[]] | null;
  crawford?: boolean | null;
  cube?: number | null;
  dice?: number[] | null;
  drops?: string | null;
  egyptian?: boolean;
  jacoby?: boolean | null;
  length?: number | null;
  name?: string;
  note?: string;
  on_roll?: string;
  owner?: string | null;
  position?: string;
  preset?: string;
  score?: [number, number] | null;
  tags?: string[] | null;
  variation?: string;
}

export interface ContinueRequest {
  trials?: number;
}

export interface ConvertRequest {
  beavers?: number | null;
  board?: [number[], number[]] | null;
  crawford?: boolean | null;
  cube?: number | null;
  dice?: number[] | null;
  drops?: string | null;
  egyptian?: boolean;
  jacoby?: boolean | null;
  length?: number | null;
  on_roll?: string;
  owner?: string | null;
  position?: string;
  score?: [number, number] | null;
  stderr?: number | null;
  values: number[] | null;
  variation?: string;
}

export interface Converted {
  format: string;
  lost: string[] | null;
  matches: number;
  text: string;
  warnings: string[] | null;
}

export interface CorrectRequest {
  act: number;
  cut?: boolean;
  dice?: number[] | null;
  doubled?: boolean;
  kind?: string;
  play?: string | null;
  remove?: boolean;
  version: number;
}

export interface Described {
  beavers: number;
  board: [number[], number[]];
  checkers: number;
  contact: boolean;
  crawford: boolean;
  cube: number;
  dice: number[] | null;
  drops?: string;
  finished: boolean;
  jacoby: boolean;
  length: number;
  match_id: string;
  off: [number, number];
  owner: string;
  pips: [number, number];
  position_id: string;
  score: [number, number];
  xgid: string;
}

export interface EvalRequest {
  beavers?: number | null;
  board?: [number[], number[]] | null;
  counts?: boolean;
  crawford?: boolean | null;
  cube?: number | null;
  dice?: number[] | null;
  drops?: string | null;
  egyptian?: boolean;
  jacoby?: boolean | null;
  length?: number | null;
  map?: boolean;
  on_roll?: string;
  owner?: string | null;
  position?: string;
  preset?: string;
  score?: [number, number] | null;
  variation?: string;
  why?: boolean;
  windows?: boolean;
}

export interface Evaluation {
  assumed?: string[] | null;
  class: string;
  counts?: AdviceCounts | null;
  cube: AdviceCube | null;
  cubeful_equity: number;
  cubeless_equity: number;
  game?: string;
  map?: AdviceMap | null;
  match_id: string;
  mwc?: number | null;
  plies: number;
  position_id: string;
  probs: [number, number, number, number, number];
  reason?: string;
  rules: string;
  why?: ExplainLine[] | null;
  windows?: AdviceWindows | null;
  words?: string;
  xgid: string;
}

export interface FoundPosition {
  best?: string;
  collection?: string;
  game?: number;
  loss?: number;
  match?: string;
  name?: string;
  number?: number;
  phase: string;
  plan: string;
  played?: string;
  player?: string;
  position: Described;
  tags?: string[] | null;
  verdict?: string;
  xgid: string;
}

export interface Game {
  created: string;
  egyptian?: boolean;
  game: number;
  id: string;
  length: number;
  names: [string, string];
  phase: string;
  score: [number, number];
  variation?: string;
}

export interface GameHint {
  answer?: boolean;
  cube?: AdviceEvaluation | null;
  plays?: AdvicePlays | null;
  reason?: string;
  why?: ExplainLine[] | null;
  words: string;
}

export interface GameList {
  damaged?: string;
  games: Game[] | null;
}

export interface GameRequest {
  auto_doubles?: number;
  beavers?: number | null;
  by_hand?: boolean;
  character?: string;
  clock?: PlayClock | null;
  crawford?: boolean | null;
  cube?: number | null;
  dice?: number[] | null;
  egyptian?: boolean;
  event?: string;
  jacoby?: boolean | null;
  length?: number | null;
  name?: string;
  no_crawford?: boolean;
  no_cube?: boolean;
  on_roll?: string;
  opponent_name?: string;
  owner?: string | null;
  play_as?: string;
  position?: string;
  preset?: string;
  rating?: number;
  rng?: string;
  rolls?: string;
  score?: [number, number] | null;
  seed?: number;
  style?: string;
  two_players?: boolean;
  variation?: string;
}

export interface GameState {
  acts: PlayEntry[] | null;
  archived?: string;
  board: [number[], number[]];
  by_hand?: boolean;
  checkers: number;
  clock?: PlayClockView | null;
  crawford: boolean;
  created: string;
  cube: number;
  dice?: number[] | null;
  easy?: PlayEasy | null;
  egyptian?: boolean;
  event?: string;
  game: number;
  hint?: GameHint | null;
  id: string;
  jacoby: boolean;
  length: number;
  match_id: string;
  may_beaver?: boolean;
  may_double: boolean;
  may_next?: boolean;
  may_raccoon?: boolean;
  may_undo: boolean;
  moves?: PlayNode[] | null;
  names: [string, string];
  offered?: number;
  opening?: boolean;
  opponent?: PlayStanding;
  owner: number;
  phase: string;
  pips: [number, number];
  posed?: boolean;
  position_id: string;
  resign?: number;
  result?: PlayResult | null;
  score: [number, number];
  seed?: number;
  tally?: PlayTally | null;
  think_ms?: number;
  turn: number;
  two_players?: boolean;
  undone?: number;
  variation?: string;
  version: number;
  warning?: PlayCost | null;
  xgid: string;
}

export interface Head {
  annotator: string;
  comment: string;
  date: string;
  event: string;
  place: string;
  players: [string, string];
  round: string;
  swappable: boolean;
  tags: string[] | null;
}

export interface Imported {
  analysis: ReviewSum | null;
  corrected: number;
  files: (OwnerFiled | null)[] | null;
  guessed: OwnerCount[] | null;
  joined: number;
  known: number;
  matches: string[] | null;
  merged: number;
  new: number;
  perhaps: [string, string][] | null;
  positions: number;
  undated: number;
  unreadable: number;
}

export interface Job {
  analysis?: ReportDocument | null;
  created: string;
  decision?: string;
  done: number;
  error?: string;
  id: string;
  kind: string;
  match?: string;
  rollout?: Rollout | null;
  seconds: number;
  state: string;
  stored?: number;
  total: number;
  unsaved?: string;
}

export interface MatchList {
  matches: IndexMatch[] | null;
  more: boolean;
}

export interface Me {
  configured: string[] | null;
  names: string[] | null;
}

export interface MeRequest {
  names: string[] | null;
}

export interface MergeRequest {
  with: string;
}

export interface Note {
  comment: string;
  later: boolean;
}

export interface NoteRequest {
  comment: string;
  was: string;
}

export interface OnlineAct {
  kind: string;
  level?: number;
  play?: string;
}

export interface OnlineCommand {
  line: string;
}

export interface OpeningDecision {
  first: string;
  plays: OpeningPlay[] | null;
  replies: string[] | null;
  roll: string;
  score: string;
  xgid: string;
}

export interface Openings {
  decisions: OpeningDecision[] | null;
  first: string;
  position: Described;
  score: string;
}

export interface Pictures {
  pictures: string[] | null;
}

export interface PlayerRename {
  from: string;
  to: string;
}

export interface PlaysRequest {
  beavers?: number | null;
  board?: [number[], number[]] | null;
  crawford?: boolean | null;
  cube?: number | null;
  dice?: number[] | null;
  drops?: string | null;
  egyptian?: boolean;
  jacoby?: boolean | null;
  length?: number | null;
  limit?: number;
  on_roll?: string;
  owner?: string | null;
  position?: string;
  preset?: string;
  score?: [number, number] | null;
  variation?: string;
  why?: boolean;
}

export interface Position {
  beavers?: number | null;
  board?: [number[], number[]] | null;
  crawford?: boolean | null;
  cube?: number | null;
  dice?: number[] | null;
  drops?: string | null;
  egyptian?: boolean;
  jacoby?: boolean | null;
  length?: number | null;
  on_roll?: string;
  owner?: string | null;
  position?: string;
  preset?: string;
  score?: [number, number] | null;
  variation?: string;
}

export interface Preset {
  beyond?: boolean;
  name: string;
  rating?: number;
  summary: string;
}

export interface Problem {
  error: string;
  field: string;
}

export interface QuizAnswer {
  answer: string;
}

export interface QuizNext {
  moves?: PlayNode[] | null;
  options?: string[] | null;
  position: Described | null;
  progress: QuizProgress;
  question: QuizQuestion | null;
  tally: QuizTally;
}

export interface QuizResult {
  again: string;
  basis: string;
  best: string;
  choices: QuizChoice[] | null;
  cube?: AdviceEvaluation | null;
  cubes?: QuizCubePlay[] | null;
  depth?: string;
  loss: number;
  plays?: AdvicePlays | null;
  progress: QuizProgress;
  reason?: string;
  right: boolean;
  trials?: number;
  why?: ExplainLine[] | null;
  words?: string;
}

export interface QuizSources {
  collections: SourceSize[] | null;
  errors: number;
  phases: string[] | null;
  plans: string[] | null;
  progress: QuizProgress;
  sets: QuizSet[] | null;
  themes: QuizTheme[] | null;
  verdicts: string[] | null;
}

export interface RankedPlays {
  assumed?: string[] | null;
  book?: OpeningEntry | null;
  dice: [number, number];
  game?: string;
  match_id: string;
  moves: AdvicePlay[] | null;
  position_id: string;
  reason?: string;
  rules: string;
  why?: ExplainLine[] | null;
  xgid: string;
}

export interface RenameRequest {
  name: string;
}

export interface Renamed {
  changed: number;
}

export interface Rollout {
  arms: RolloutResult[] | null;
  cube: AdviceCube | null;
  dice: number[] | null;
  match_id: string;
  position_id: string;
  preset: string;
  rng: string;
  seed: number;
  truncate: number;
  variation?: string;
  words?: string;
  xgid: string;
}

export interface RolloutRequest {
  beavers?: number | null;
  board?: [number[], number[]] | null;
  crawford?: boolean | null;
  cube?: number | null;
  decision?: string;
  dice?: number[] | null;
  drops?: string | null;
  egyptian?: boolean;
  jacoby?: boolean | null;
  kind?: string;
  length?: number | null;
  match?: string;
  on_roll?: string;
  owner?: string | null;
  plays?: string[] | null;
  position?: string;
  preset?: string;
  rng?: string;
  score?: [number, number] | null;
  seed?: number;
  stop_jsd?: number;
  stop_stderr?: number;
  trials?: number;
  truncate?: number;
  variation?: string;
}

export interface ScoreCell {
  action?: string;
  away: [number, number];
  crawford?: boolean;
  double_take?: number | null;
  margin?: number | null;
  no_double?: number | null;
  play?: string;
  words?: string;
}

export interface ScoreMatrix {
  away: number;
  cells: ScoreCell[] | null;
  money: ScoreCell;
}

export interface ScoresRequest {
  away?: number;
  beavers?: number | null;
  board?: [number[], number[]] | null;
  crawford?: boolean | null;
  cube?: number | null;
  dice?: number[] | null;
  drops?: string | null;
  egyptian?: boolean;
  jacoby?: boolean | null;
  length?: number | null;
  on_roll?: string;
  owner?: string | null;
  position?: string;
  preset?: string;
  score?: [number, number] | null;
  variation?: string;
}

export interface SearchResult {
  found: FoundPosition[] | null;
  more: boolean;
}

export interface SourceSize {
  name: string;
  questions: number;
}

export interface Started {
  id: string;
}

export interface StatisticColumn {
  better: number;
  core: boolean;
  digits: number;
  label: string;
  marked: string;
  name: string;
  one?: boolean;
  percent?: boolean;
  signed?: boolean;
  time?: boolean;
  unit: string;
}

export interface ThinkRequest {
  for_me?: boolean;
  version: number;
}

export interface VersionRequest {
  version: number;
}

export interface WindowRequest {
  backgammons?: number;
  backgammons_against?: number;
  beavers?: number | null;
  board?: [number[], number[]] | null;
  crawford?: boolean | null;
  cube?: number | null;
  dice?: number[] | null;
  drops?: string | null;
  efficiency?: number | null;
  egyptian?: boolean;
  gammons?: number;
  gammons_against?: number;
  jacoby?: boolean | null;
  length?: number | null;
  on_roll?: string;
  owner?: string | null;
  position?: string;
  score?: [number, number] | null;
  variation?: string;
}

export interface AdviceConversion {
  crawford: boolean;
  cube: number;
  length: number;
  mwc_lose: number;
  mwc_win: number;
  owner: string;
  score: [number, number];
  table: string;
  values: AdviceConverted[] | null;
}

export interface AdviceConverted {
  equity: number;
  equity_stderr?: number | null;
  mwc: number;
  mwc_stderr?: number | null;
}

export interface AdviceCount {
  advice: string;
  double: boolean;
  me: number;
  opponent: number;
  redouble: boolean;
  take: boolean;
}

export interface AdviceCounts {
  epc?: [number, number] | null;
  isight?: AdviceCount | null;
  keith?: AdviceCount | null;
  kleinman_chance?: number | null;
  kleinman_metric?: number | null;
  pips: [number, number];
  thorp?: AdviceCount | null;
  ward?: AdviceCount | null;
  wastage?: [number, number] | null;
}

export interface AdviceCube {
  action: string;
  bluff?: number | null;
  double_beaver?: number | null;
  double_pass: number;
  double_take: number;
  equity_stderr?: [number, number] | null;
  mwc?: [number, number, number] | null;
  no_double: number;
  trials?: number;
  words: string;
}

export interface AdviceEvaluation {
  assumed?: string[] | null;
  class: string;
  cube: AdviceCube | null;
  cubeful_equity: number;
  cubeless_equity: number;
  game?: string;
  match_id: string;
  mwc?: number | null;
  plies: number;
  position_id: string;
  probs: [number, number, number, number, number];
  rules: string;
  xgid: string;
}

export interface AdviceMap {
  mean: number;
  rolls: AdviceRollEquity[] | null;
}

export interface AdviceMatchTable {
  description: string;
  post_crawford: number[] | null;
  pre_crawford: (number[] | null)[] | null;
  published: number;
  table: string;
}

export interface AdvicePlay {
  diff: number;
  equity: number;
  equity_stderr?: number;
  move: string;
  mwc?: number | null;
  plies: number;
  probs: [number, number, number, number, number];
  rank: number;
  result_id: string;
  trials?: number;
}

export interface AdvicePlays {
  assumed?: string[] | null;
  dice: [number, number];
  game?: string;
  match_id: string;
  moves: AdvicePlay[] | null;
  position_id: string;
  rules: string;
  xgid: string;
}

export interface AdvicePrices {
  gammon_prices: (number[] | null)[] | null;
  length: number;
  table: string;
  take_points: (number[] | null)[] | null;
}

export interface AdviceRollEquity {
  best: string;
  dice: [number, number];
  equity: number;
}

export interface AdviceRollMap {
  beaver?: boolean;
  double_take?: number | null;
  market_losers: number;
  no_double: number;
  rolls: AdviceRollReply[] | null;
}

export interface AdviceRollReply {
  best: string;
  dice: [number, number];
  double_take?: number | null;
  lose: number;
  market_loser: boolean;
  no_double: number;
  weight: number;
}

export interface AdviceWindowSet {
  dead: CubeWindow;
  live: CubeWindow;
  practical: CubeWindow;
}

export interface AdviceWindows {
  dead: CubeWindow;
  efficiency: number;
  gammon_prices: MatchGammonPrice;
  live: CubeWindow;
  opponent: AdviceWindowSet;
  opponent_after_take?: AdviceWindowSet | null;
  practical: CubeWindow;
}

export interface BoardRules {
  checkers?: number;
  egyptian?: boolean;
}

export interface CollectionCollection {
  items: CollectionItem[] | null;
  name: string;
}

export interface CollectionItem {
  added: string;
  drops?: number;
  id: string;
  name?: string;
  note?: string;
  rules?: BoardRules;
  tags: string[] | null;
  xgid: string;
}

export interface CollectionQuery {
  back?: string;
  bar?: string;
  cube?: number;
  in?: string;
  kind?: string;
  lead?: string;
  limit?: number;
  made?: number[] | null;
  matches?: string[] | null;
  max_loss?: number;
  min_loss?: number;
  owner?: string;
  phase?: string;
  plan?: string;
  player?: string;
  score?: string;
  text?: string;
  their_back?: string;
  their_bar?: string;
  their_made?: number[] | null;
  verdict?: string;
}

export interface CubeWindow {
  beaver?: number;
  cash: number;
  double: number;
  take: number;
  too_good: number;
}

export interface ExplainLine {
  against?: boolean;
  figure: [number, number];
  kind: string;
  rolls?: [string[] | null, string[] | null];
  share?: number;
  text: string;
}

export interface HistoryForm {
  before: number | null;
  last: (number | null)[] | null;
  level?: string;
  mean: number | null;
  mean_level?: string;
  pr: number | null;
}

export interface HistoryHeadline {
  analysed: number;
  before_pr: number | null;
  level?: string;
  luck: number | null;
  matches: number;
  pr: number | null;
  pr_interval: [number | null, number | null] | null;
  recent_pr: number | null;
  undated: number;
  window: number;
}

export interface HistoryTrends {
  account?: string;
  first?: string;
  headline: HistoryHeadline;
  last?: string;
  lines: Record<string, (number | null)[] | null>;
  shallow: string[] | null;
  span: number;
  splits: Record<string, IndexSplitStats[] | null>;
}

export interface IndexChange {
  account?: string | null;
  annotator?: string | null;
  comment?: string | null;
  date?: string | null;
  event?: string | null;
  place?: string | null;
  players?: [string, string] | null;
  round?: string | null;
  swap?: boolean;
  tags?: string[] | null;
}

export interface IndexDeleted {
  account: string;
  deleted: string;
  id: string;
  joined?: string;
  length: number;
  opponent: string;
  started?: string;
}

export interface IndexGame {
  crawford: boolean;
  end_unknown?: boolean;
  number: number;
  points: number;
  resigned: boolean;
  result: number;
  score: [number, number];
}

export interface IndexMatch {
  account: string;
  checker_error: [number | null, number | null];
  close_cube_decisions: [number | null, number | null];
  counted_decisions: [number | null, number | null];
  cube_error: [number | null, number | null];
  depth?: string;
  error: [number | null, number | null];
  event?: string;
  file: string;
  finished?: string;
  game_list?: IndexGame[] | null;
  games: number;
  id: string;
  judge?: string;
  kept?: boolean;
  length: number;
  luck: [number | null, number | null];
  luck_adjusted_result: number | null;
  luck_plies: number | null;
  moves: number;
  opponent: string;
  plies: number | null;
  pr: [number | null, number | null];
  preset?: string;
  pruned?: boolean;
  rating: [number | null, number | null];
  rating_after: [number | null, number | null];
  result: number;
  score: [number, number];
  server?: string;
  shallow: [boolean, boolean];
  splits?: IndexSplit[] | null;
  started?: string;
  tags?: string[] | null;
  unforced_moves: [number | null, number | null];
}

export interface IndexSplit {
  by: string;
  decisions: number;
  error: number;
  luck: number | null;
  name: string;
  side: number;
}

export interface IndexSplitStats {
  decisions: number;
  error_per_match: number | null;
  error_total: number;
  luck: number | null;
  matches: number;
  name: string;
  pr: number | null;
  pr_interval: [number | null, number | null] | null;
  shallow: number;
  side: string;
}

export interface LobbyLine {
  from?: string;
  kind: string;
  number: number;
  text: string;
}

export interface LobbyLogin {
  account: string;
  password: string;
  protocol: string;
  register?: boolean;
  server: string;
}

export interface LobbyOffer {
  length: number;
  resume?: boolean;
  score: [number, number];
  with: string;
}

export interface LobbyPlayer {
  away?: boolean;
  experience: number | null;
  idle: number;
  name: string;
  opponent?: string;
  rating: number | null;
  ready: boolean;
}

export interface LobbyRanked {
  diff: number;
  equity: number;
  move: string;
  rank: number;
}

export interface LobbySeenDecision {
  best?: string;
  chances?: [number, number, number, number, number] | null;
  cube_loss: number;
  cube_mark?: string;
  dice?: number[] | null;
  game: number;
  kind: string;
  loss: number;
  luck?: number | null;
  mark?: string;
  played: string;
  player: number;
  plays?: LobbyRanked[] | null;
}

export interface LobbyState {
  account?: string;
  archived?: string;
  asked?: boolean;
  at: number;
  error?: string;
  forfeits?: boolean;
  invitations: LobbyOffer[] | null;
  locked?: string;
  match?: PlayView | null;
  news: LobbyLine[] | null;
  online: string;
  opened?: boolean;
  opens?: boolean;
  saved: LobbyOffer[] | null;
  server?: string;
  watched?: LobbyWatched | null;
}

export interface LobbyTally {
  blunders: number;
  decisions: number;
  errors: number;
  lost: number;
  luck: number | null;
  pr: number | null;
}

export interface LobbyWatched {
  comments: string;
  errors: LobbySeenDecision[] | null;
  joined?: boolean;
  keep: boolean;
  kept?: string;
  last?: LobbySeenDecision | null;
  line: number[] | null;
  match?: PlayView | null;
  note?: string;
  player: string;
  sides: [LobbyTally, LobbyTally];
  state: string;
  talks: boolean;
}

export interface MatchGammonPrice {
  lose_backgammon: number;
  lose_gammon: number;
  win_backgammon: number;
  win_gammon: number;
}

export interface OpeningEntry {
  first: string;
  plays: OpeningPlay[] | null;
  roll: string;
  score: string;
}

export interface OpeningPlay {
  early_plies: number;
  equity: number;
  equity_stderr: number;
  loss: number;
  loss_stderr: number;
  move: string;
  plies: number;
  probs: [number, number, number, number, number];
  trials: number;
}

export interface OpsAccount {
  connected: boolean;
  engines?: Record<string, OpsEngine>;
  error?: string;
  journal_error?: string;
  last_line?: string;
  leaving?: boolean;
  left_alone?: OpsPerson[] | null;
  live?: OpsLive | null;
  match?: string;
  matches_finished: number;
  matches_won: number;
  name: string;
  not_inviting?: string;
  opponent?: string;
  paused?: boolean;
  position_id?: string;
  preset?: string;
  rating?: number;
  send_queue: number;
  server: string;
  state: string;
  waiting?: string;
}

export interface OpsAccountReply {
  account: string;
  answer: string;
  done: boolean;
}

export interface OpsCount {
  n: number;
  name: string;
}

export interface OpsEnded {
  account: string;
  at: string;
  length: number;
  opponent: string;
  pr?: number | null;
  rating?: number;
  result: string;
  score: [number, number];
  shallow?: boolean;
}

export interface OpsEngine {
  answered: number;
  failed: number;
  fault?: string;
  fault_at?: string;
  in_a_row: number;
  running: boolean;
}

export interface OpsInvitation {
  accepted: boolean;
  at: string;
  from: string;
  length: number;
  rating?: number;
  resume: boolean;
  rule: string;
  said?: string;
}

export interface OpsLive {
  invitations: OpsInvitation[] | null;
  ratings?: number[] | null;
  record?: OpsRecord | null;
  said: OpsSaid[] | null;
  table?: OpsTable | null;
  troubles: OpsTrouble[] | null;
  waiting: string[] | null;
}

export interface OpsMoved {
  dice?: number[] | null;
  play?: string;
  side: string;
  what: string;
}

export interface OpsOrder {
  account?: string;
  args?: string[] | null;
  order: string;
}

export interface OpsPerson {
  name: string;
  until?: string;
  why: string;
}

export interface OpsRecord {
  accepted: number;
  all: OpsTally;
  daily: OpsTally[] | null;
  lost: OpsCount[] | null;
  opponents: OpsTally[] | null;
  refused: OpsCount[] | null;
}

export interface OpsReply {
  accounts?: OpsAccountReply[] | null;
  answer: string;
  done: boolean;
  misused?: boolean;
  order: string;
}

export interface OpsSaid {
  at: string;
  from: string;
  how: string;
  text: string;
  to?: string;
}

export interface OpsSaved {
  account: string;
  at: string;
  opponent: string;
}

export interface OpsStatus {
  accounts: OpsAccount[] | null;
  config: string;
  config_error?: string;
  draining: boolean;
  ended?: OpsEnded[] | null;
  index_error?: string;
  saved?: OpsSaved[] | null;
  started: string;
  version: string;
}

export interface OpsTable {
  board?: [number[], number[]] | null;
  chances?: [number, number, number, number, number] | null;
  course?: number[] | null;
  crawford: boolean;
  cube: number;
  dice: number[] | null;
  doubled: string;
  experience?: number;
  game: number;
  length: number;
  moves: OpsMoved[] | null;
  offer?: number;
  opponent: string;
  owner: string;
  pips: [number, number];
  rating?: number;
  resigned: string;
  score: [number, number];
  starts?: number[] | null;
  turn: string;
}

export interface OpsTally {
  lost: number;
  matches: number;
  name?: string;
  unfinished: number;
  win_rate: number | null;
  win_rate_interval: [number | null, number | null] | null;
  won: number;
}

export interface OpsTrouble {
  at: string;
  text: string;
  times: number;
}

export interface OwnerCount {
  matches: number;
  name: string;
}

export interface OwnerFiled {
  collection?: string;
  joined: number;
  known: number;
  matches: string[] | null;
  merged: number;
  name: string;
  new: number;
  positions?: number;
  problem?: string;
}

export interface PlayCharacter {
  name: string;
  summary: string;
}

export interface PlayClock {
  delay: number;
  kind: string;
  loses?: boolean;
  reserve: number;
}

export interface PlayClockView {
  delay: number;
  kind: string;
  left_ms: [number, number];
  loses?: boolean;
  reserve: number;
  used_ms: number;
}

export interface PlayCost {
  act: string;
  best: string;
  loss: number;
}

export interface PlayEasy {
  play: string;
  why: string;
}

export interface PlayEdge {
  die: number;
  from: number;
  hit?: boolean;
  node: number;
  to: number;
}

export interface PlayEntry {
  before: string;
  choice?: boolean;
  cube: number;
  dice?: [number, number];
  game: number;
  illegal?: boolean;
  kind: string;
  level?: number;
  number: number;
  play?: string;
  rolled?: [number, number];
  side: number;
  spent_ms?: number;
  steps?: [number, number][] | null;
}

export interface PlayNode {
  end: boolean;
  next?: PlayEdge[] | null;
  play: string;
}

export interface PlayResult {
  how: string;
  level: number;
  points: number;
  winner: number;
}

export interface PlayStanding {
  beyond?: boolean;
  rating?: number;
}

export interface PlayTally {
  games: number;
  gammons: [number, number];
  points: [number, number];
  won: [number, number];
}

export interface PlayView {
  acts: PlayEntry[] | null;
  board: [number[], number[]];
  by_hand?: boolean;
  checkers: number;
  clock?: PlayClockView | null;
  crawford: boolean;
  created: string;
  cube: number;
  dice?: number[] | null;
  easy?: PlayEasy | null;
  egyptian?: boolean;
  event?: string;
  game: number;
  id: string;
  jacoby: boolean;
  length: number;
  match_id: string;
  may_beaver?: boolean;
  may_double: boolean;
  may_next?: boolean;
  may_raccoon?: boolean;
  may_undo: boolean;
  moves?: PlayNode[] | null;
  names: [string, string];
  offered?: number;
  opening?: boolean;
  opponent?: PlayStanding;
  owner: number;
  phase: string;
  pips: [number, number];
  posed?: boolean;
  position_id: string;
  resign?: number;
  result?: PlayResult | null;
  score: [number, number];
  seed?: number;
  tally?: PlayTally | null;
  turn: number;
  two_players?: boolean;
  undone?: number;
  variation?: string;
  version: number;
  xgid: string;
}

export interface QuizChoice {
  answer: string;
  equity: number;
  loss: number;
  searched?: boolean;
  stderr: number;
}

export interface QuizCubePlay {
  equity: number;
  owner: string;
  play: string;
}

export interface QuizDay {
  asked: number;
  right: number;
}

export interface QuizDayOf {
  asked: number;
  date: string;
  right: number;
}

export interface QuizProgress {
  days: QuizDayOf[] | null;
  row: number;
  streak: number;
  today: QuizDay;
}

export interface QuizQuestion {
  date: string;
  id: string;
  kind: string;
  loss: number;
  match: string;
  mine: boolean;
  name?: string;
  opponent: string;
  phase: string;
  plan: string;
  player: string;
  source: string;
}

export interface QuizSet {
  name: string;
  questions: number;
  title: string;
}

export interface QuizTally {
  asked: number;
  boxes: number[];
  due: number;
  new: number;
  questions: number;
  right: number;
}

export interface QuizTheme {
  kind: string;
  loss: number;
  phase?: string;
  plan?: string;
  questions: number;
}

export interface ReportAnalysedBy {
  date?: string;
  depth?: string;
  luck_depth?: string;
  match_equities?: string;
  nets?: string;
  preset?: string;
  program?: string;
  same_depth?: [boolean, boolean];
}

export interface ReportBookPlay {
  best: string;
  loss: number;
  stderr: number;
}

export interface ReportCandidate {
  depth: string;
  equity: number;
  equity_stderr?: number;
  play: string;
  probs: [number, number, number, number, number];
  rollout?: string;
}

export interface ReportCubeChoice {
  action: string;
  dead?: boolean;
  double_beaver?: number | null;
  double_pass: number;
  double_take: number;
  equity_stderr?: [number, number];
  mwc?: [number, number, number] | null;
  no_double: number;
  probs: [number, number, number, number, number];
  probs_take: [number, number, number, number, number];
  redouble: boolean;
  rollout?: string;
  wrong_answer?: number;
}

export interface ReportCubeFault {
  cost: number;
  count: number;
  error: number;
  kind: string;
}

export interface ReportDocument {
  file?: string;
  games: ReportGame[] | null;
  judge: ReportAnalysedBy | null;
  match: ReportMatch;
  players: ReportPlayer[] | null;
}

export interface ReportGame {
  decisions: ReportRow[] | null;
  errors: ReportMistake[] | null;
  number: number;
  players: [ReportGamePlayer, ReportGamePlayer];
  result: ReportResult;
  score: [number, number];
}

export interface ReportGamePlayer {
  actual_result: number;
  counted_decisions: number;
  error_total: number | null;
  luck: number | null;
  luck_adjusted_result: number | null;
  pr: number | null;
}

export interface ReportInterval {
  half: number;
  mean: number;
}

export interface ReportMarked {
  bad: number;
  doubtful: number;
  very_bad: number;
}

export interface ReportMatch {
  annotator?: string;
  comment?: string;
  date?: string;
  drops?: string;
  egyptian?: boolean;
  event?: string;
  length: number;
  place?: string;
  players: [string, string];
  result: ReportResult;
  round?: string;
  score: [number, number];
  variation?: string;
}

export interface ReportMistake {
  best: string;
  dice?: number[] | null;
  index: number;
  kind: string;
  loss: number;
  luck?: number | null;
  mark: string;
  match_id: string;
  played: string;
  player: number;
  position_id: string;
}

export interface ReportOpinion {
  behind: number | null;
  by: string;
  choice: string;
  own_equities: [number, number] | null;
}

export interface ReportPhaseFigures {
  counted_decisions: number;
  error_total: number | null;
  luck: number | null;
  luck_adjusted_result: number | null;
  phase: string;
  pr: number | null;
  result: number | null;
}

export interface ReportPlayer {
  actual_result: number;
  chance_against_opponent: number | null;
  checker_cost: number | null;
  checker_error: number | null;
  checker_error_total: number | null;
  checker_marked: ReportMarked | null;
  checker_pr: number | null;
  checker_word: string | null;
  close_cube_decisions: number | null;
  counted_decisions: number;
  cube_cost: number | null;
  cube_decisions: number;
  cube_error: number | null;
  cube_error_total: number | null;
  cube_errors: ReportCubeFault[] | null;
  cube_pr: number | null;
  cube_word: string | null;
  doubles: number;
  error_cost: number | null;
  error_per_decision: number | null;
  error_total: number | null;
  luck: number | null;
  luck_adjusted_points_per_game?: ReportInterval | null;
  luck_adjusted_result: number | null;
  luck_cost: number | null;
  luck_rate: number | null;
  luck_word?: string;
  marked: ReportMarked | null;
  moves: number;
  name: string;
  passes: number;
  phases: ReportPhaseFigures[] | null;
  points_per_game?: ReportInterval | null;
  pr: number | null;
  pr_word: string | null;
  rating?: string;
  rating_difference: number | null;
  rating_estimate: number | null;
  rating_estimate_by_decision: number | null;
  rating_lost_checker: number | null;
  rating_lost_cube: number | null;
  rating_word: string | null;
  resignation_cost: number | null;
  resignation_error_total: number | null;
  resignations: number | null;
  rolls: ReportRolls | null;
  snowie_error: number | null;
  takes: number;
  unforced_moves: number;
  wrong_resignations: number | null;
}

export interface ReportReplacedVerdict {
  by?: string;
  candidates?: ReportCandidate[] | null;
  cube?: ReportCubeChoice | null;
  depth: string;
}

export interface ReportResult {
  points: number;
  winner: number;
}

export interface ReportRolls {
  lucky: number;
  unlucky: number;
  very_lucky: number;
  very_unlucky: number;
}

export interface ReportRow {
  also?: ReportOpinion | null;
  beside?: ReportReplacedVerdict[] | null;
  best?: string;
  book?: ReportBookPlay | null;
  candidates?: ReportCandidate[] | null;
  comment?: string;
  counts: boolean;
  cube?: ReportCubeChoice | null;
  depth?: string;
  dice?: number[] | null;
  error: number | null;
  error_mwc: number | null;
  fault?: string;
  kind: string;
  luck?: number | null;
  mark?: string;
  match_id: string;
  number: number;
  ogid: string;
  phase: string;
  plan: string;
  played: string;
  player: number;
  position_id: string;
  reason?: string;
  xgid: string;
}

export interface ReviewSum {
  failed: number;
  judged: number;
  left: number;
}

export interface RolloutResult {
  cubeless_equity: number;
  cubeless_stderr: number | null;
  diff: number;
  diff_stderr: number | null;
  equity: number;
  equity_stderr: number | null;
  jsd: number;
  mwc?: number | null;
  mwc_stderr?: number | null;
  name: string;
  probs: [number, number, number, number, number];
  probs_stderr: [number | null, number | null, number | null, number | null, number | null];
  stopped: boolean;
  trials: number;
}
