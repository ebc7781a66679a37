import type { Command } from './command.ts'
import { EXIT, misuse } from './failure.ts'
import { amount, cents, minute, table, type Column } from './output.ts'

interface Candle {
  readonly t: number
  readonly at: string
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  readonly v: number | null
  readonly partial?: true
  readonly gap?: true
}

const COLUMNS: readonly Column<Candle>[] = [
  { title: 'Time (UTC)', of: (bar) => minute(bar.at) },
  { title: 'Open', of: (bar) => cents(bar.o), align: 'right' },
  { title: 'High', of: (bar) => cents(bar.h), align: 'right' },
  { title: 'Low', of: (bar) => cents(bar.l), align: 'right' },
  { title: 'Close', of: (bar) => cents(bar.c), align: 'right' },
  { title: 'Volume', of: (bar) => amount(bar.v), align: 'right' },
  { title: '', of: (bar) => [bar.partial && 'open', bar.gap && 'gap'].filter(Boolean).join(' ') },
]

/** `augury candles TICKER`: bars of one market, oldest first. */
export const candlesCommand: Command = {
  name: 'candles',
  synopsis: 'TICKER [--tf 1m|5m|15m|1h|1d] [--before ISO] [--limit N] [--csv]',
  summary: 'OHLCV candles, oldest first',
  flags: { tf: 'word', before: 'word', limit: 'number', csv: 'switch' },
  words: [1, 1],
  async run({ words, flags, client, around }) {
    if (flags.on('csv') && flags.on('json')) throw misuse('--csv and --json exclude each other')
    const ticker = encodeURIComponent(words[0] ?? '')
    const body = await client.get(`/api/public/market/${ticker}/candles`, {
      ...{ tf: flags.word('tf'), before: flags.word('before') },
      ...{ limit: flags.number('limit'), asOf: flags.word('as-of') },
    })
    if (flags.on('json')) {
      around.print(`${body.trimEnd()}\n`)
      return EXIT.done
    }
    const { candles } = JSON.parse(body) as { candles: readonly Candle[] }
    around.print(`${flags.on('csv') ? csv(candles) : table(candles, COLUMNS)}\n`)
    return EXIT.done
  },
}

const csv = (candles: readonly Candle[]): string =>
  [
    't,at,o,h,l,c,v',
    ...candles.map(({ t, at, o, h, l, c, v }) => [t, at, o, h, l, c, v ?? ''].join(',')),
  ].join('\n')
