import type { BenchRow } from './bench-row.ts'
import { benchAppend, benchCandles } from './history.ts'

const SIZES = [2_000_000, 20_000_000, 80_000_000] as const

/** The history's figures as rows: durable appends, candles by size, newest numbers by size. */
export async function benchHistory(): Promise<BenchRow[]> {
  const append = await benchAppend(500, 200)
  const rows: BenchRow[] = [
    {
      name: 'durable append of trades, batches of 500',
      ours: append.port,
      baseline: append.bare,
      unit: 'rows/s',
      ratio: append.ratio,
      goal: '≥ 0.4 × bare chunk appender',
      note: null,
    },
  ]
  const candles = await benchCandles(SIZES)
  const smallest = candles[0]
  for (const size of candles) {
    const name = `${size.rows / 1e6} M rows`
    rows.push({
      name: `candles in process, p50, ${name}`,
      ours: size.port.p50,
      baseline: size.raw.p50,
      unit: 'ms',
      ratio: size.ratio,
      goal: '≤ 1.5 × the same SQL',
      note: `adopted at ${size.adoptRowsPerSecond} rows/s; all newest numbers ${Math.round(size.numbersNowMs)} ms; ${size.rssMb} MB`,
    })
    if (smallest === undefined || size === smallest) continue
    rows.push({
      name: `candles, ${name} against ${smallest.rows / 1e6} M`,
      ours: size.port.p50,
      baseline: smallest.port.p50,
      unit: 'ms',
      ratio: size.port.p50 / smallest.port.p50,
      goal: 'flat: ≤ 1.5 ×',
      note: null,
    })
  }
  return rows
}
