/** ISO time with milliseconds. */
export const iso = (at: number): string => new Date(at).toISOString()
/** The form of `closedTime` and `gameStartTime`: `2026-01-02 03:04:05+00`. */
export const spacedTime = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}+00`
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
