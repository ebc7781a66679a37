import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createService } from './service.ts'
import { readConfig } from './config.ts'
import { silentLogger } from '../lib/logger.ts'
import { openStores } from './stores.ts'
import { FakeClock } from '../testing/fake-clock.ts'

const ROUTES = {
  health: '/api/health',
  api: '/api/public/markets',
  worker: '/api/imports/imp_none',
}

describe('roles', () => {
  const cleanups: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of cleanups.splice(0)) await end()
  })

  /** The existing routes, and the source of data, with these roles. */
  const servedWith = async (roles: string, from = 'none') => {
    const dataDir = mkdtempSync(join(tmpdir(), 'augury-roles-'))
    const config = readConfig(['--roles', roles, '--source', from, '--data', dataDir], {})
    const service = createService({
      config,
      stores: await openStores(dataDir, silentLogger),
      boundUrl: 'http://localhost',
      clock: new FakeClock(),
      random: () => 0.5,
      log: silentLogger,
    })
    cleanups.push(async () => {
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    const { source } = await service.start()
    const routes = service.app.routes.map(({ path }) => path)
    const served = Object.entries(ROUTES)
      .filter(([, path]) => routes.includes(path.replace('imp_none', ':id')))
      .map(([name]) => name)
    return { source, served }
  }

  it.each([
    ['api,ingest,worker', ['health', 'api', 'worker']],
    ['api', ['health', 'api']],
    ['worker', ['health', 'worker']],
    ['ingest', ['health']],
  ])('%s serve their own routes only', async (roles, served) => {
    expect(await servedWith(roles)).toEqual({ source: 'none', served })
  })

  it('contact no venue without the ingest role, whatever the source', async () => {
    expect((await servedWith('api,worker', 'demo')).source).toBe('none')
  })
})
