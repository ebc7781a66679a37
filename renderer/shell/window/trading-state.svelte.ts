import type { ConfigStored } from '../../../backend/contract/portfolio.ts'
import type { Live } from '../../api/live.ts'
import * as queries from '../../api/portfolio-queries.ts'
import { refusalLabel } from '../../panes/account/refusal-labels.ts'

/** The parts of the terminal that a halt uses. */
interface TradingHost {
  readonly live: Pick<Live, 'send' | 'source' | 'refetch' | 'subscribe'>
  halted: boolean
  trading: 'live' | 'paper' | null
  showNotice(text: string, tone?: 'info' | 'error'): void
}

/** Requests again what a change of the configuration changes. */
export function refetchTrading({ live }: Pick<TradingHost, 'live'>): void {
  live.refetch(live.source(queries.risk))
  live.refetch(live.source(queries.portfolioConfig))
}

/** Halts trading at once. @returns whether it is halted */
export async function haltTrading(terminal: TradingHost): Promise<boolean> {
  const body = { executionMode: 'halted' } as const
  const answer = await terminal.live.send('PUT', '/api/portfolio/config', body)
  if (answer.ok) {
    terminal.halted = true
    terminal.trading = 'paper'
    const { orders } = answer.body as Pick<ConfigStored, 'orders'>
    terminal.showNotice(haltedText(orders), (orders?.failed.length ?? 0) > 0 ? 'error' : 'info')
  } else if (answer.failure.status === 401) {
    terminal.showNotice('Not halted: sign in first, or run augury portfolio halt', 'error')
  } else terminal.showNotice(`Not halted: ${refusalLabel(answer.failure)}`, 'error')
  refetchTrading(terminal)
  return answer.ok
}

/** Result of a halt, as a sentence. */
export function haltedText(orders: ConfigStored['orders']): string {
  const haltedText = 'Trading halted: no order is sent. Positions stay. RISK resumes it'
  if (orders === undefined) return haltedText
  const { cancelled, failed } = orders
  const count = (n: number): string => `${n} ${n === 1 ? 'order' : 'orders'}`
  const cancelledText = cancelled.length === 0 ? '' : `; ${count(cancelled.length)} cancelled`
  const [first] = failed
  if (first === undefined) return `${haltedText}${cancelledText}`
  return `Trading halted${cancelledText}; ${count(failed.length)} not cancelled and tried again each minute: ${first.marketId}, ${first.reason}`
}

/** Keeps `terminal.halted` and `terminal.trading` current. Call it inside an effect; returns a function that stops it. */
export function watchTrading(terminal: TradingHost): () => void {
  const source = terminal.live.source(queries.portfolioConfig)
  const stop = $effect.root(() => {
    $effect(() => terminal.live.subscribe(source))
    $effect(() => {
      const { body } = source
      if (body === null) return
      const isHalted = body.executionMode === 'halted'
      if (isHalted && !terminal.halted && body.haltReason === 'drawdown') {
        terminal.showNotice('Trading is halted: the drawdown reached its limit', 'error')
      }
      terminal.halted = isHalted
      terminal.trading = body.mode
    })
  })
  return () => {
    stop()
    terminal.halted = false
    terminal.trading = null
  }
}
