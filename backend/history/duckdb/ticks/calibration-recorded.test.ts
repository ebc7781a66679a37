import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { hasRecordings, recordingPath, WITHOUT_RECORDINGS } from '../../../../bench/recordings.ts'
import { calibrationScores, calibrationVerdict } from '../../../domain/calibration/scores.ts'
import type { ScoredForecast } from '../../../domain/calibration/scores.ts'
import { roundTo } from '../../../domain/units.ts'
import type { Cents } from '../../../domain/units.ts'

/** The same scores by the engine: another language, another order of summation. */
const BY_ENGINE = `
  with cases as (select mid_price_at_T as p, outcome as o from read_parquet($path)
                  where mid_price_at_T is not null and outcome is not null),
       whole as (select count(*) as n, avg(o) as base from cases),
       bands as (select least(floor(round(p * 10, 9)), 9) as band, count(*) as n, avg(p) as p, avg(o) as o,
                        avg((p - o) ** 2) as brier
                   from cases group by all)
  select whole.n::double as n, base,
         (select avg((p - o) ** 2) from cases) as brier,
         (select -avg(ln(greatest(0.005, least(0.995, if(o = 1, p, 1 - p))))) from cases) as log_score,
         (select sum(n * (p - o) ** 2) / whole.n from bands) as reliability,
         (select sum(n * (o - base) ** 2) / whole.n from bands) as resolution,
         (select avg(((p > 0.5) = (o = 1))::double) from cases where p <> 0.5) as hit_rate,
         (select list(n::double order by band) from bands) as sizes
    from whole`

describe.skipIf(!hasRecordings)(
  `G2: settled temperature markets (${hasRecordings ? 'present' : WITHOUT_RECORDINGS})`,
  () => {
    it('score like the engine scores them, Brier 0.139', async () => {
      const path = recordingPath('venue_a/kalshi_temp_settled_outcomes.parquet')
      const instance = await DuckDBInstance.create(':memory:')
      const db = await instance.connect()
      try {
        const [engine] = (await db.runAndReadAll(BY_ENGINE, { path })).getRowObjectsJson()
        const rows = await db.runAndReadAll(
          'select mid_price_at_T as p, outcome::integer as o from read_parquet($path) ' +
            'where mid_price_at_T is not null and outcome is not null',
          { path },
        )
        const forecasts = rows.getRowsJson().map(([p, o]): ScoredForecast => ({
          // Recorded means of trades are within floating-point error of the bucket bounds.
          price: roundTo(Number(p) * 100, 8) as Cents,
          outcome: o === 1 ? 1 : 0,
        }))
        const scores = calibrationScores(forecasts)
        expect(roundTo(scores?.brier ?? NaN, 3)).toBe(0.139)
        expect(calibrationVerdict(scores)).toBe('good')
        expect(scores?.n).toBe(engine?.['n'])
        const pairs = [
          ['base', scores?.baseRate],
          ['brier', scores?.brier],
          ['log_score', scores?.logScore],
          ['reliability', scores?.reliability],
          ['resolution', scores?.resolution],
          ['hit_rate', scores?.hitRate],
        ] as const
        for (const [name, own] of pairs) expect(own, name).toBeCloseTo(Number(engine?.[name]), 9)
        expect(scores?.buckets.map(({ n }) => n)).toEqual(engine?.['sizes'])
      } finally {
        db.closeSync()
        instance.closeSync()
      }
    })
  },
)
