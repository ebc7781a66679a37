import type { Verb } from '../../shell/commands/commands.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'
import { tickerWord } from '../../shell/examples/ticker-word.ts'
import { toggleWatch } from '../../shell/commands/watch/watchlist-actions.ts'
import type { RowKey } from '../../ui/table/table.ts'

/** Keys that open the market of a row in another pane. */
const VERBS: readonly (readonly [string, string, Verb])[] = [
  ['g', 'chart', 'GP'],
  ['b', 'depth', 'BOOK'],
  ['h', 'history', 'HIST'],
  ['d', 'details', 'DES'],
  ['x', 'other venue', 'XV'],
]

/** @param tickerOf the market of a row, null when it has none */
export const marketKeys = <Row>(
  terminal: Terminal,
  pane: Pane,
  tickerOf: (row: Row) => string | null,
): readonly RowKey<Row>[] => [
  {
    chord: 'w',
    label: 'add to or remove from the watchlist',
    run: (row) => {
      const ticker = tickerOf(row)
      if (ticker !== null) toggleWatch(terminal, ticker)
    },
  },
  {
    chord: 'a',
    label: 'set an alert',
    run: (row) => {
      const ticker = tickerOf(row)
      if (ticker !== null) terminal.prefill(`${tickerWord(ticker)} ALERT `)
    },
  },
  {
    chord: 'o',
    label: 'order',
    run: (row) => {
      const ticker = tickerOf(row)
      if (ticker !== null) void terminal.run(`${tickerWord(ticker)} INTENT`)
    },
  },
  ...VERBS.map(([chord, label, verb]): RowKey<Row> => ({
    chord,
    label,
    run: (row) => {
      const ticker = tickerOf(row)
      if (ticker !== null) terminal.openMarket(pane, ticker, verb)
    },
  })),
]
