import { watchedPage } from '../../../api/alert-queries.ts'
import type { Live } from '../../../api/live.ts'
import { pathOf } from '../../../api/path.ts'
import { formatCents } from '../../../lib/format.ts'
import { tickerWord } from '../../examples/ticker-word.ts'
import type { Account } from '../../window/account.svelte.ts'
import type { Command } from '../command.ts'

/** The parts of the terminal that ALERT uses. */
export interface AlertSetter {
  readonly live: Pick<Live, 'read' | 'send' | 'source' | 'refetch'>
  readonly account: Pick<Account, 'signInState'>
  /** The market of a command. */
  marketOf(command: Command): string | null
  showNotice(text: string, tone?: 'info' | 'error'): void
}

/**
 * Creates a price alert. Without a side it waits for the price to rise to the threshold from below,
 * or to fall to it from above; while the price is unknown, the side must be given.
 */
export async function setAlert(
  setter: AlertSetter,
  ticker: string,
  threshold: number,
  side: string | null,
): Promise<void> {
  const { live } = setter
  const market = await live.read(pathOf('/api/public/market/:ticker', { ticker }))
  const known = market?.ok === true ? market.body : null
  const currentPrice = known?.price ?? null
  if (side === null && currentPrice === null) {
    const line = `${tickerWord(ticker)} ALERT ${threshold}`
    setter.showNotice(
      `No alert was set: the price is unknown. Add a side: ${line} above, or ${line} below`,
      'error',
    )
    return
  }
  const isBelow =
    side === null ? currentPrice !== null && currentPrice >= threshold : side === 'below'
  const condition = isBelow ? 'price_below' : 'price_above'
  const answer = await live.send('POST', '/api/alert-rules', { ticker, condition, threshold })
  if (!answer.ok) {
    setter.showNotice(`No alert was set: ${answer.failure.message}`, 'error')
    return
  }
  live.refetch(live.source(watchedPage))
  const sign = isBelow ? '≤' : '≥'
  setter.showNotice(
    `Alert set: ${known?.title ?? ticker} ${sign} ${formatCents(threshold)}, now ${formatCents(currentPrice)}`,
  )
}
