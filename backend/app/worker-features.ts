import { Elysia } from 'elysia'
import type { Config } from './config.ts'
import { createExportTargets } from '../features/archive/export-targets.ts'
import { createExporter } from '../features/archive/exporter.ts'
import { exportsRoutes } from '../features/archive/exports.routes.ts'
import { createExportsService } from '../features/archive/exports.service.ts'
import { createExportsStore } from '../features/archive/exports.store.ts'
import { importsRoutes } from '../features/archive/imports.routes.ts'
import { refuseOwnFiles } from '../features/archive/import-paths.ts'
import { createImportsService } from '../features/archive/imports.service.ts'
import { createImportsStore } from '../features/archive/imports.store.ts'
import { sqlRoutes } from '../features/archive/sql.routes.ts'
import { createSqlService } from '../features/archive/sql.service.ts'
import { backtestsRoutes } from '../features/backtests/backtests.routes.ts'
import { createBacktestsService } from '../features/backtests/backtests.service.ts'
import { createBacktestsStore } from '../features/backtests/backtests.store.ts'
import { backupsRoutes } from '../features/operations/backups.routes.ts'
import { createBackupsService } from '../features/operations/backups.service.ts'
import { adapter } from '../http/adapter.ts'
import { createImportHost } from '../ingest/import/import-host.ts'
import { createImporter } from '../ingest/import/importer.ts'
import { LAYOUT_NAMES } from '../ingest/import/layouts/layouts.ts'
import { createBacktestPlayer } from '../jobs/backtest/backtest-player.ts'
import type { Clock } from '../lib/clock.ts'
import { StoreFailed } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import { VERSION } from '../lib/files/package-root.ts'
import type { MarketData } from './market-data.ts'
import type { Stores } from './stores.ts'

/** Long-running work on stored data: imports, exports, statements, backups and backtests. */
export function createWorkerFeatures(deps: {
  config: Config
  stores: Stores
  data: MarketData
  clock: Clock
  /** Process time, where data time differs from it. */
  wallClock: Clock
  log: Logger
}) {
  const { stores, data, clock, wallClock, log } = deps
  const { dataDir } = deps.config
  const importer = createImporter({ host: createImportHost(stores.history), dataDir })
  const imports = createImportsService({
    store: createImportsStore(stores.state),
    dataDir,
    layouts: LAYOUT_NAMES,
    clock,
    logger: log,
    async run(request, signal, onReport, job) {
      // Files may have been replaced by links since the import was queued.
      await refuseOwnFiles(request.paths, dataDir)
      signal.throwIfAborted()
      const reports = await importer.importFiles(request, signal, onReport, job)
      await data.refresh()
      return reports
    },
  })
  const targetOf = createExportTargets(deps.config)
  const exports = createExportsService({
    store: createExportsStore(stores.state),
    exporter: createExporter({ copyTo: data.copyTo, targetOf, dataDir, clock }),
    history: data.history,
    targetOf,
    clock,
    logger: log.child({ part: 'exports' }),
  })
  const sql = createSqlService({ history: data.queries, wallClock })
  const backups = createBackupsService({
    dataDir,
    version: VERSION,
    clock,
    logger: log,
    copyStores(folder, work) {
      if (stores.upkeep === undefined) throw new StoreFailed('stores in memory cannot be backed up')
      return stores.upkeep.copyInto(folder, work, () => data.flush())
    },
  })
  const backtests = createBacktestsService({
    store: createBacktestsStore(stores.state),
    player: createBacktestPlayer({ history: data.history, dataDir, clock }),
    history: data.history,
    clock,
    logger: log.child({ part: 'backtests' }),
  })

  return {
    /** Routes that do not read the history. */
    ownRoutes: new Elysia({ name: 'worker files', adapter })
      .use(importsRoutes(imports))
      .use(backupsRoutes(backups)),
    routes: new Elysia({ name: 'worker', adapter })
      .use(exportsRoutes(exports))
      .use(backtestsRoutes(backtests))
      .use(sqlRoutes(sql)),
    /** Cancels running work and resolves when it has ended. */
    async close(): Promise<void> {
      sql.close()
      await Promise.all([imports.close(), exports.close(), backtests.close(), backups.close()])
    },
  }
}
