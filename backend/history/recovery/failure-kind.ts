/** What kind of trouble the engine speaks of. */
export type FailureKind =
  /** Content that is not what was written. */
  | 'damaged'
  /** The engine gave up this opening of the file; a new one may work. */
  | 'invalidated'
  /** No room on the disk. */
  | 'full'
  /** Another process holds the file. */
  | 'held'
  | 'other'

const TEXTS: readonly (readonly [FailureKind, RegExp])[] = [
  ['held', /conflicting lock|could not set lock|being used by another process|already open/i],
  // Before the disk that was full: its text is told along with what it led to.
  ['invalidated', /has been invalidated|FATAL Error/],
  ['full', /no space left|disk quota|not enough space|file too large/i],
  [
    'damaged',
    /corrupt|checksum|not a valid duckdb|replaying wal|deserializ|serialization error|INTERNAL Error|could not read enough bytes/i,
  ],
]

/** Judges an error by its own message and those of its causes. */
export function failureKindOf(error: unknown): FailureKind {
  const text = messagesOf(error)
  return TEXTS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other'
}

/** The message of an error followed by those of its causes. */
export function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${messagesOf(error.cause)}`
}
