import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { changesRoutes } from './changes.routes.ts'
import { createMarketChanges } from './changes.service.ts'
import { diffRoutes } from './diff.routes.ts'
import { createMarketDiff } from './diff.service.ts'
import { historyRoutes } from './history.routes.ts'
import { createMarketHistory } from './history.service.ts'
import { listRoutes } from './lists.routes.ts'
import { createMarketLists } from './lists.service.ts'
import { marketLocator } from './locate-market.ts'
import { marketRoutes } from './market.routes.ts'
import { createMarketDetail } from './market.service.ts'
import type { MarketsDeps } from './markets.deps.ts'
import { marketPageRoutes } from './market-page.routes.ts'
import { regimeRoutes } from './regime.routes.ts'
import { createRegimeService } from './regime.service.ts'
import { screenRoutes } from './screen.routes.ts'
import { createMarketScreens } from './screen.service.ts'
import { searchRoutes } from './search.routes.ts'
import { createMarketSearch } from './search.service.ts'
import { tapeRoutes } from './tape.routes.ts'
import { createMarketTape } from './tape.service.ts'

/** Every read of markets, over one board and one history. */
export const marketsRoutes = (deps: MarketsDeps) =>
  new Elysia({ name: 'markets', adapter })
    .use(listRoutes(createMarketLists(deps)))
    .use(screenRoutes(createMarketScreens(deps)))
    .use(regimeRoutes(createRegimeService(deps)))
    .use(diffRoutes(createMarketDiff(deps)))
    .use(searchRoutes(createMarketSearch(deps)))
    .use(marketRoutes(createMarketDetail(deps)))
    .use(marketPageRoutes(deps))
    .use(historyRoutes(createMarketHistory(deps, marketLocator(deps))))
    .use(tapeRoutes(createMarketTape(deps, marketLocator(deps))))
    .use(changesRoutes(createMarketChanges(deps)))
