import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { contagionRoutes } from './contagion.routes.ts'
import { createContagionService } from './contagion.service.ts'
import { curveRoutes } from './curves.routes.ts'
import { createCurveService } from './curves.service.ts'
import { indexRoutes } from './index.routes.ts'
import { createIndexService } from './index.service.ts'
import type { IndicesDeps } from './indices.deps.ts'
import { liquidityRoutes } from './liquidity.routes.ts'
import { createLiquidityService } from './liquidity.service.ts'
import { oddsRoutes } from './odds.routes.ts'
import { createOddsService } from './odds.service.ts'

/** Reads over all markets: index, odds, curves, liquidity and contagion. */
export const indicesRoutes = (deps: IndicesDeps) =>
  new Elysia({ name: 'indices', adapter })
    .use(indexRoutes(createIndexService(deps)))
    .use(oddsRoutes(createOddsService(deps)))
    .use(curveRoutes(createCurveService(deps)))
    .use(liquidityRoutes(createLiquidityService(deps)))
    .use(contagionRoutes(createContagionService(deps)))
