import type { WatchedPage } from '../../../../backend/contract/orders/watch.ts'
import { isPriceRule } from '../../../../backend/domain/alerts/alert-rule.ts'
import type { ChartPoint, Level } from '../../../charts/price-chart.ts'
import { formatCents, formatMoment, isoOf } from '../../../lib/format.ts'
import { setAlert } from '../../../shell/commands/watch/set-alert.ts'
import { tickerWord } from '../../../shell/examples/ticker-word.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import { isNear } from '../../../charts/layers/drawing-shapes.ts'
import { DRAWING_LABELS, type Drawing } from '../../../charts/layers/drawing.ts'
import { alertRows, conditionText } from '../../alerts/alert-rows.ts'
import { toTick } from './to-tick.ts'

/** Horizontal lines of a market's chart: the user's levels and active price alerts. */
export function chartLevels(
  drawings: readonly Drawing[],
  watchedPage: WatchedPage | null,
  ticker: string | null,
): readonly Level[] {
  const alerts = alertRows(watchedPage).flatMap(({ rule }): readonly Level[] =>
    rule.ticker !== ticker ||
    rule.state !== 'active' ||
    rule.threshold === null ||
    !isPriceRule(rule)
      ? []
      : [
          {
            id: rule.id,
            kind: 'alert',
            price: rule.threshold,
            label: `Alert ${conditionText(rule)}`,
          },
        ],
  )
  const levels = drawings.flatMap((drawing): readonly Level[] =>
    drawing.kind === 'level' ? [{ ...drawing, label: '' }] : [],
  )
  return [...levels, ...alerts]
}

interface MenuInput {
  readonly terminal: Terminal
  readonly ticker: string
  /** Price step of the market in cents. */
  readonly tick: number
  readonly point: ChartPoint
  readonly levels: readonly Level[]
  readonly now: number
  readonly showAt: (at: string | null) => void
  readonly resetView: () => void
}

/** Levels within this distance of the pointer can be removed by the menu, in cents. */
const REMOVAL_DISTANCE = 1

/** Actions at a point of a market's chart. */
export function chartMenu({ terminal, ticker, tick, point, levels, now, ...act }: MenuInput) {
  const { time } = point
  const price = toTick(point.price, tick)
  const priceOfNo = toTick(100 - price, tick)
  const text = formatCents(price)
  const at = isoOf(time * 1000)
  const removable = levels
    .filter(({ kind }) => kind === 'level')
    .filter((level) => Math.abs(level.price - price) <= REMOVAL_DISTANCE)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(String(price))
      terminal.showNotice(`Copied ${text}`)
    } catch {
      terminal.showNotice(`The browser denied clipboard access: ${text}`, 'error')
    }
  }
  const alert = () => {
    if (terminal.account.signInState === 'anonymous')
      terminal.showNotice('Sign in to set alerts. ACCOUNT opens the form', 'error')
    else void setAlert(terminal, ticker, price, null)
  }
  const order = (side: 'yes' | 'no', limit: number) =>
    void terminal.run(`${tickerWord(ticker)} INTENT buy ${side} limit=${limit}`)
  return [
    { label: `Alert at ${text}`, run: alert },
    { label: `Order: buy YES at ${text}`, run: () => order('yes', price) },
    { label: `Order: buy NO at ${formatCents(priceOfNo)}`, run: () => order('no', priceOfNo) },
    { label: `Draw level at ${text}`, run: () => terminal.drawings.addLevel(ticker, price) },
    ...removable.map((level) => ({
      label: `Remove level at ${formatCents(level.price)}`,
      run: () => terminal.drawings.remove(ticker, level.id),
    })),
    ...terminal.drawings
      .get(ticker)
      .filter((drawing) => drawing.kind !== 'level' && isNear(drawing, point))
      .map((drawing) => ({
        label: `Remove ${DRAWING_LABELS[drawing.kind]}`,
        run: () => terminal.drawings.remove(ticker, drawing.id),
      })),
    { label: `Copy price ${text}`, run: () => void copy() },
    ...(time * 1000 < now
      ? [{ label: `Open at ${formatMoment(at, now)}`, run: () => act.showAt(at) }]
      : []),
    { label: 'Reset view', run: act.resetView },
    ...(terminal.drawings.get(ticker).length > 0
      ? [{ label: 'Remove all drawings', run: () => terminal.drawings.clear(ticker) }]
      : []),
  ]
}
