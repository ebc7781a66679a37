import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { contagionRoutes } from './contagion.routes.ts'
import { createContagionReads } from './contagion.service.ts'
import { curveRoutes } from './curves.routes.ts'
import { createCurveReads } from './curves.service.ts'
import { indexRoutes } from './index.routes.ts'
import { createIndexReads } from './index.service.ts'
import type { IndicesDeps } from './indices.deps.ts'
import { liquidityRoutes } from './liquidity.routes.ts'
import { createLiquidityReads } from './liquidity.service.ts'
import { oddsRoutes } from './odds.routes.ts'
import { createOddsReads } from './odds.service.ts'

/** Reads over all markets: index, odds, curves, liquidity and contagion. */
export const indicesRoutes = (deps: IndicesDeps) =>
  new Elysia({ name: 'indices', adapter })
    .use(indexRoutes(createIndexReads(deps)))
    .use(oddsRoutes(createOddsReads(deps)))
    .use(curveRoutes(createCurveReads(deps)))
    .use(liquidityRoutes(createLiquidityReads(deps)))
    .use(contagionRoutes(createContagionReads(deps)))
