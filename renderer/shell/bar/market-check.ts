import type { Live } from '../../api/live.ts'
import { pathOf } from '../../api/path.ts'
import type { Command } from '../commands/command.ts'

/** Tickers that commands name and the page does not know. */
export const unknownTickers = (
  commands: readonly Command[],
  isKnown: (ticker: string) => boolean,
): readonly string[] =>
  commands.flatMap(({ subject }) =>
    subject?.kind === 'ticker' && !isKnown(subject.ticker) ? [subject.ticker] : [],
  )

/** The first of the tickers that the service does not know; null when it knows all or is silent. */
export async function firstAbsent(
  live: Pick<Live, 'read'>,
  tickers: readonly string[],
): Promise<string | null> {
  for (const ticker of tickers) {
    const answer = await live.read(pathOf('/api/public/market/:ticker', { ticker }))
    if (answer?.ok === false && answer.failure.status === 404) return ticker
  }
  return null
}
