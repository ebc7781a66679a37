import { misuse } from './failure.ts'

/** A word as one segment of a path. @throws CliFailure (usage) for one that would leave its place */
export function segmentOf(text: string): string {
  if (text === '' || text === '.' || text === '..') throw misuse(`"${text}" names nothing`)
  return encodeURIComponent(text)
}
