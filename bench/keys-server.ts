import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { Elysia } from 'elysia'
import { createAccess } from '../backend/features/access/access.ts'
import { createUsageRecorder } from '../backend/features/usage/usage-recorder.ts'
import { createUsageStore } from '../backend/features/usage/usage.store.ts'
import { adapter } from '../backend/http/adapter.ts'
import { createHttpApp } from '../backend/http/app.ts'
import { bind } from '../backend/http/server.ts'
import { routePolicies } from '../backend/http/routes/route-policies.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import { openState } from '../backend/state/open.ts'

/** The same response twice: for everybody, and for holders of a data key. */
export const OPEN_PATH = '/open'
export const KEYED_PATH = '/keyed'

export interface KeyServing {
  readonly port: number
  readonly dataKey: string
  readonly serviceKey: string
}

const ROWS = Array.from({ length: 20 }, (_, row) => ({ ticker: `KXBENCH-${row}`, price: row / 20 }))

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-bench-keys-'))
  const state = await openState(':memory:')
  const bound = await bind({ host: '127.0.0.1', port: 0 })
  const access = createAccess({
    state,
    dataDir,
    baseUrl: bound.url,
    appUrl: bound.url,
    signup: 'closed',
    provider: null,
    clock: systemClock,
    logger: silentLogger,
  })
  const usage = createUsageRecorder({
    store: createUsageStore(state),
    clock: systemClock,
    logger: silentLogger,
  })
  const app = createHttpApp({ logger: silentLogger }).use(
    new Elysia({ adapter })
      .use(routePolicies)
      .get(OPEN_PATH, () => ({ rows: ROWS }), { auth: 'optional', cache: 3 })
      .get(KEYED_PATH, () => ({ rows: ROWS }), { auth: 'data', cache: 3 }),
  )
  bound.serve(app, {
    clock: systemClock,
    logger: silentLogger,
    fairUse: 5_000_000_000,
    authenticate: access.authenticate('unused-secret'),
    onAnswer: usage.record,
  })
  await access.opened
  const owner = await state.selectFrom('account').select('id').executeTakeFirstOrThrow()
  const { key: dataKey } = await access.dataKeys.create(owner.id, { name: 'bench' })
  const { key: serviceKey } = await access.serviceKeys.create(owner.id, { name: 'bench' })
  port.once('message', () => {
    void bound
      .close(0)
      .then(() => usage.close())
      .then(() => access.close())
      .then(() => state.destroy())
      .then(() => {
        rmSync(dataDir, { recursive: true, force: true })
        port.close()
      })
  })
  port.postMessage({ port: bound.port, dataKey, serviceKey } satisfies KeyServing)
}

if (parentPort !== null) await serve(parentPort)
