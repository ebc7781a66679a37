/** Kind of failure that the engine reports. */
export type FailureKind =
  /** Content differs from what was written. */
  | 'damaged'
  /** The engine invalidated this open file; reopening may work. */
  | 'invalidated'
  /** No room on the disk. */
  | 'full'
  /** Another process holds the file. */
  | 'held'
  | 'other'

const TEXTS: readonly (readonly [FailureKind, RegExp])[] = [
  ['held', /conflicting lock|could not set lock|being used by another process|already open/i],
  // Checked before the full disk, because its message also quotes the cause.
  ['invalidated', /has been invalidated|FATAL Error/],
  ['full', /no space left|disk quota|not enough space|file too large/i],
  [
    'damaged',
    /corrupt|checksum|not a valid duckdb|replaying wal|deserializ|serialization error|INTERNAL Error|could not read enough bytes/i,
  ],
]

/** Classifies an error by its own message and those of its causes. */
export function failureKindOf(error: unknown): FailureKind {
  const text = messagesOf(error)
  return TEXTS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other'
}

/** The message of an error followed by those of its causes. */
export function messagesOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${messagesOf(error.cause)}`
}
