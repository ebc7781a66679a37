import type { Candle, CandlesAnswer } from '../../contract/market-history.ts'
import { TIMEFRAMES } from '../../domain/prices/candle.ts'
import { usageError } from '../failure.ts'
import { amount, cents, minute, table, text, type Column } from '../terminal/output.ts'
import { sparkline } from '../terminal/sparkline.ts'
import { single } from './answer.ts'
import { right } from './market-columns.ts'
import { choiceFlag, textFlag, type ReadFlag } from './read-flags.ts'
import { request, type Read } from './read.ts'
import { routePath } from '../route.ts'

const COLUMNS: readonly Column<Candle>[] = [
  { title: 'Time (UTC)', cell: (bar) => minute(bar.at) },
  right('Open', (bar) => cents(bar.o)),
  right('High', (bar) => cents(bar.h)),
  right('Low', (bar) => cents(bar.l)),
  right('Close', (bar) => cents(bar.c)),
  right('Volume', (bar) => amount(bar.v)),
  { title: '', cell: (bar) => [bar.partial && 'open', bar.gap && 'gap'].filter(Boolean).join(' ') },
]

const csvFlag: ReadFlag = {
  kind: 'switch',
  value: null,
  params: [],
  query: () => ({}),
  about: 'print CSV',
}

/**
 * `augury candles TICKER`: bars of one market, oldest first; on a terminal with a sparkline above
 * them.
 */
export const CANDLES: Read = {
  name: 'candles',
  summary: 'OHLCV candles, oldest first',
  synopsis: 'TICKER',
  list: 'limited',
  flags: {
    tf: choiceFlag('tf', TIMEFRAMES, 'width of a bar'),
    before: textFlag('before', 'ISO', 'bars that open before this time'),
    csv: csvFlag,
  },
  routeOf({ args: [ticker = ''], flags }) {
    if (flags.has('csv') && flags.has('json'))
      throw usageError('--csv and --json cannot be combined')
    return request(
      routePath('/api/public/market/:ticker/candles', { ticker }),
      single(({ candles }: CandlesAnswer, { screen }) => {
        if (flags.has('csv')) return csv(candles)
        const bars = table(candles, COLUMNS, screen)
        if (screen.columns === null || candles.length < 2) return bars
        return `${text(ticker)}  ${sparkline(candles.map(({ c }) => c))}\n\n${bars}`
      }),
    )
  },
}

const csv = (candles: readonly Candle[]): string =>
  [
    't,at,o,h,l,c,v',
    ...candles.map(({ t, at, o, h, l, c, v }) => [t, at, o, h, l, c, v ?? ''].join(',')),
  ].join('\n')
