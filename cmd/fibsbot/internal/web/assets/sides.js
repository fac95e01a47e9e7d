// The sides of a match, as the server numbers them.

export const FOE = 0;
export const YOU = 1;
