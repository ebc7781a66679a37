import type { Market } from '../../../../backend/contract/market.ts'
import {
  GAUGE_OVERLAYS,
  MAX_OVERLAYS,
  STUDIES,
  STUDY_NAMES,
  studyWord,
  type Study,
} from '../../../charts/study-types.ts'
import { shortTicker } from '../../../lib/format.ts'
import { tickerWord } from '../../../shell/examples/ticker-word.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import type { MenuItem } from '../../../ui/menu/menu.ts'

const MAX_SIBLINGS = 6
const checkmark = (isOn: boolean): string => (isOn ? '✓ ' : '')

/** Studies to add or remove. */
export const studyMenu = (
  on: readonly Study[],
  toggle: (word: string) => void,
): readonly MenuItem[] =>
  STUDY_NAMES.map((name) => {
    const active = on.find((study) => study.name === name)
    const { title, length } = STUDIES[name]
    return {
      label: `${checkmark(active !== undefined)}${title}`,
      run: () => toggle(studyWord(active ?? { name, length })),
    }
  })

interface CompareInput {
  readonly terminal: Terminal
  readonly ticker: string
  readonly market: Market | null
  /** Words of the overlays in the chart. */
  readonly on: readonly string[]
  readonly toggle: (word: string) => void
}

/** Markets and gauges to compare a market with. */
export function compareMenu({
  terminal,
  ticker,
  market,
  on,
  toggle,
}: CompareInput): readonly MenuItem[] {
  const item = (word: string, label: string): MenuItem => ({
    label: `${checkmark(on.includes(word))}${label}`,
    run: () => {
      if (on.length < MAX_OVERLAYS || on.includes(word)) toggle(word)
      else
        terminal.showNotice(`A chart compares at most ${MAX_OVERLAYS}. Remove one first`, 'error')
    },
  })
  const siblings = (market?.siblings ?? []).slice(0, MAX_SIBLINGS)
  const others = terminal.watchlist.all
    .map((row) => row.ticker)
    .filter((other) => other !== ticker && !siblings.some((sibling) => sibling.ticker === other))
    .slice(0, MAX_SIBLINGS)
  const nameOf = (other: string) => terminal.health.quoteOf.get(other)?.title ?? shortTicker(other)
  return [
    {
      label: 'Another market…',
      run: () => terminal.prefill(`${tickerWord(ticker)} GP ${[...on, '+'].join(' ')}`),
    },
    item('+pair', 'Same question on the other venue'),
    ...siblings.map((sibling) => item(`+${sibling.ticker}`, sibling.title)),
    ...others.map((other) => item(`+${other}`, `Watchlist: ${nameOf(other)}`)),
    ...Object.entries(GAUGE_OVERLAYS).map(([word, label]) => item(`+${word}`, `Gauge: ${label}`)),
  ]
}
