import type { DataServiceDeps } from './data-service.deps.ts'
import { createDataLists } from './lists.service.ts'
import { createMovers } from './movers.service.ts'
import { createDataTape } from './tape.service.ts'

/** Every read of the real-time data service, for its routes and its socket. */
export const createDataService = (deps: DataServiceDeps) => ({
  ...createDataLists(deps),
  ...createMovers(deps),
  ...createDataTape(deps),
})
export type DataService = ReturnType<typeof createDataService>
