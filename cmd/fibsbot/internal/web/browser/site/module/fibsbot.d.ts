/** The engine of fibsbot, which runs in workers of the page. Questions and answers are those of
    the HTTP API of `fibsbot web`: equities are normalised (EMG) and those of the player on roll,
    chances are between 0 and 1. A promise is rejected with an EngineError, or with the reason of
    the signal that stopped it. */

/** Options of questions. */
export interface Options {
  /** Stops the work when it is aborted. */
  signal?: AbortSignal;
}

/** Options of work that takes long. */
export interface JobOptions extends Options {
  /** Called as trials or decisions are done, with the results of a rollout so far. */
  onProgress?: (done: number, total: number, rollout?: Rollout) => void;
}

/** Loads the engine, 8 MB, as the first question does. */
export function load(options?: {
  /** Workers that compute; the number of cores, at most 8, if absent. Counts at the first call. */
  threads?: number;
  /** Called with the bytes loaded and their number. */
  onProgress?: (done: number, total: number) => void;
}): Promise<void>;

/** Ends the workers and frees their memory. The next question loads the engine again. */
export function close(): void;

/** Returns chances, equities and the cube decision of a position. */
export function evaluate(question: EvalRequest, options?: Options): Promise<Evaluation>;

/** Returns the plays of a roll, best first. */
export function hint(question: PlaysRequest, options?: Options): Promise<RankedPlays>;

/** Returns the cube decision of a position. */
export function cube(question: EvalRequest, options?: Options): Promise<AdviceCube>;

/** Rolls out plays if there are dice, else the cube decision or the position. */
export function rollout(question: RolloutRequest, options?: JobOptions): Promise<Rollout>;

/** Analyses the first match of a file: text or bytes of any format that fibsbot reads. */
export function analyse(
  file: string | ArrayBuffer | ArrayBufferView | Blob,
  options?: JobOptions & { preset?: string },
): Promise<ReportDocument>;

/** The reason in one sentence. */
export class EngineError extends Error {
  /** The field of the question that is wrong, or "". */
  field: string;
}

/* Questions and answers, made of the HTTP API: go test ./cmd/fibsbot/internal/web/browser -run types -update */

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

export interface ReportDocument {
  file?: string;
  games: ReportGame[] | null;
  judge: ReportAnalysedBy | null;
  match: ReportMatch;
  players: ReportPlayer[] | null;
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

export interface AdviceMap {
  mean: number;
  rolls: AdviceRollEquity[] | null;
}

export interface ExplainLine {
  against?: boolean;
  figure: [number, number];
  kind: string;
  rolls?: [string[] | null, string[] | null];
  share?: number;
  text: string;
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

export interface OpeningEntry {
  first: string;
  plays: OpeningPlay[] | null;
  roll: string;
  score: string;
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

export interface ReportGame {
  decisions: ReportRow[] | null;
  errors: ReportMistake[] | null;
  number: number;
  players: [ReportGamePlayer, ReportGamePlayer];
  result: ReportResult;
  score: [number, number];
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

export interface AdviceCount {
  advice: string;
  double: boolean;
  me: number;
  opponent: number;
  redouble: boolean;
  take: boolean;
}

export interface AdviceRollEquity {
  best: string;
  dice: [number, number];
  equity: number;
}

export interface CubeWindow {
  beaver?: number;
  cash: number;
  double: number;
  take: number;
  too_good: number;
}

export interface MatchGammonPrice {
  lose_backgammon: number;
  lose_gammon: number;
  win_backgammon: number;
  win_gammon: number;
}

export interface AdviceWindowSet {
  dead: CubeWindow;
  live: CubeWindow;
  practical: CubeWindow;
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

export interface ReportGamePlayer {
  actual_result: number;
  counted_decisions: number;
  error_total: number | null;
  luck: number | null;
  luck_adjusted_result: number | null;
  pr: number | null;
}

export interface ReportResult {
  points: number;
  winner: number;
}

export interface ReportMarked {
  bad: number;
  doubtful: number;
  very_bad: number;
}

export interface ReportCubeFault {
  cost: number;
  count: number;
  error: number;
  kind: string;
}

export interface ReportInterval {
  half: number;
  mean: number;
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

export interface ReportRolls {
  lucky: number;
  unlucky: number;
  very_lucky: number;
  very_unlucky: number;
}

export interface ReportOpinion {
  behind: number | null;
  by: string;
  choice: string;
  own_equities: [number, number] | null;
}

export interface ReportReplacedVerdict {
  by?: string;
  candidates?: ReportCandidate[] | null;
  cube?: ReportCubeChoice | null;
  depth: string;
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
