import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'

export const MarketQuery = query({
  depth: param.flag('adds the best five book levels a side'),
  cv_preset: param.oneOf(['arb', 'world', 'detail', 'browse'] as const, 'detail', {
    description: 'how sure a cross-venue match must be',
  }),
  cv_min_conf: param.number({ min: 0, max: 1, description: 'replaces the least confidence' }),
  cv_max_dt_days: param.number({ min: 0, description: 'replaces the close-time cap' }),
  refresh: param.flag('recomputes from a fresh book; needs credentials'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type MarketQuery = ReadQuery<typeof MarketQuery>
