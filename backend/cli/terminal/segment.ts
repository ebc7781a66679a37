import { usageError } from '../failure.ts'

/**
 * Encodes a word as one path segment. @throws CliFailure (usage) for a word that would escape its
 * segment
 */
export function segmentOf(text: string): string {
  if (text === '' || text === '.' || text === '..')
    throw usageError(`"${text}" is not a valid name`)
  return encodeURIComponent(text)
}
