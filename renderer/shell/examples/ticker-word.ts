/** A ticker as the command line reads it: a `$` marks one that could be a word. */
export const tickerWord = (ticker: string): string => (/[-\d]/.test(ticker) ? ticker : `$${ticker}`)
