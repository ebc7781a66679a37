import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GONE, type FileReport } from '../../domain/import-report.ts'
import { createHttpApp } from '../../http/app.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openState, type State } from '../../state/open.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { importsRoutes } from './imports.routes.ts'
import { createImportsService, type ImportsService, type RunImport } from './imports.service.ts'
import { createImportsStore } from './imports.store.ts'

let folder: string
let state: State
let service: ImportsService
let run: ReturnType<typeof vi.fn<RunImport>>
/** Callbacks that let the running imports end. */
let finish: (() => void)[]

const read = (path: string, error: string | null = null): FileReport => ({
  path,
  layout: 'pmus_quotes',
  rowsTaken: 3,
  rowsKnown: 1,
  rowsRefused: 0,
  reasons: [],
  error,
})

const open = () =>
  createImportsService({
    store: createImportsStore(state),
    run,
    dataDir: join(folder, 'data'),
    layouts: ['pmus_quotes'],
    clock: new FakeClock(),
    logger: silentLogger,
  })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-archive-'))
  mkdirSync(join(folder, 'data'))
  state = await openState(':memory:')
  finish = []
  run = vi.fn<RunImport>(async ({ paths }, signal, onReport) => {
    onReport(0, { ...read(paths[0] ?? ''), rowsTaken: 1 })
    await new Promise<void>((resolve) => {
      finish.push(resolve)
      signal.addEventListener('abort', () => resolve())
    })
    return paths.map((path) => read(path, path.includes('bad') ? 'cut short' : null))
  })
  service = open()
})
afterEach(async () => {
  await service.close()
  await state.destroy()
  rmSync(folder, { recursive: true, force: true })
})

/** Ends the service like a kill: running jobs end silently, and the next process starts. */
async function kill(): Promise<void> {
  const killed = service
  const rows = await state.selectFrom('import_run').selectAll().execute()
  await killed.close()
  for (const { id, ...row } of rows) {
    await state.updateTable('import_run').set(row).where('id', '=', id).execute()
  }
  service = open()
}

const file = (name: string): string => {
  const path = join(folder, name)
  writeFileSync(path, 'x')
  return path
}

async function call(method: string, path: string, body?: object) {
  const app = createHttpApp({ logger: silentLogger }).use(importsRoutes(service))
  const response = await app.handle(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const start = async (...paths: string[]): Promise<string> => {
  const { status, body } = await call('POST', '/api/imports', { paths })
  expect(status).toBe(202)
  return String(body['id'])
}
const stateOf = async (id: string) => (await call('GET', `/api/imports/${id}`)).body['state']
const reaches = (id: string, state: string) =>
  eventually(async () => expect(await stateOf(id)).toBe(state))

describe('POST /api/imports', () => {
  it('accepts an import and returns its id', async () => {
    const id = await start(file('a.json'))
    expect(id).toMatch(/^imp_[0-9a-f]{32}$/)
    await reaches(id, 'running')
    expect(run.mock.calls[0]?.[0]).toEqual({
      paths: [join(folder, 'a.json')],
      venue: null,
      kind: null,
      dryRun: false,
    })
  })

  it('reads a folder as the files below it', async () => {
    mkdirSync(join(folder, 'days', 'dt=1'), { recursive: true })
    file('days/.hidden')
    const files = [file('days/b.parquet'), file('days/dt=1/a.parquet')]
    await reaches(await start(join(folder, 'days')), 'running')
    expect(run.mock.calls[0]?.[0].paths).toEqual(files)
  })

  it.each([
    [{ paths: ['/nowhere/a.json'] }, 'path not found: /nowhere/a.json'],
    [{ paths: ['a.json'] }, 'paths must be absolute, was "a.json"'],
    [{ paths: ['/dev/null'] }, 'path is neither a file nor a folder: /dev/null'],
    [{ paths: ['/'], kind: 'odd' }, 'kind must be one of pmus_quotes, was "odd"'],
    [{ paths: [] }, /^paths/],
    [{}, /^paths/],
    [{ paths: ['/'], venue: 'venue_c' }, /^venue/],
    [{ paths: ['/'], dryRun: 'perhaps' }, /^dryRun/],
  ])('refuses %j', async (body, message) => {
    const answer = await call('POST', '/api/imports', body)
    expect(answer.status).toBe(400)
    expect(answer.body['code']).toBe('VALIDATION_ERROR')
    expect(answer.body['error']).toMatch(message)
    expect(run).not.toHaveBeenCalled()
  })
})

describe('GET /api/imports/{id}', () => {
  it('reports progress, and the outcome', async () => {
    const path = file('a.json')
    const id = await start(path)
    await reaches(id, 'running')
    const running = await call('GET', `/api/imports/${id}`)
    expect(running.body).toMatchObject({ files: [{ path, rowsTaken: 1 }], endedAt: null })
    finish[0]?.()
    await reaches(id, 'done')
    expect((await call('GET', `/api/imports/${id}`)).body).toEqual({
      id,
      state: 'done',
      files: [read(path)],
      interruptions: 0,
      startedAt: '2026-11-20T14:00:00.000Z',
      endedAt: '2026-11-20T14:00:00.000Z',
    })
  })

  it('is failed only if no file could be read', async () => {
    const some = await start(file('bad.json'), file('good.json'))
    await reaches(some, 'running')
    finish[0]?.()
    await reaches(some, 'done')
    const none = await start(file('bad.json'))
    await reaches(none, 'running')
    finish[1]?.()
    await reaches(none, 'failed')
  })

  it('answers 404 for an unknown import', async () => {
    expect(await call('GET', '/api/imports/imp_0')).toEqual({
      status: 404,
      body: { error: 'Import not found', code: 'NOT_FOUND' },
    })
  })

  it('runs an interrupted import again, before queued ones', async () => {
    const first = await start(file('a.json'))
    const second = await start(file('b.json'))
    await reaches(first, 'running')
    await kill()
    await eventually(() => expect(run).toHaveBeenCalledTimes(2))
    expect(run.mock.calls[1]?.[0]).toMatchObject({ paths: [join(folder, 'a.json')] })
    expect(run.mock.calls[1]?.[3]).toEqual({ id: first, isResumed: true })
    expect((await call('GET', `/api/imports/${first}`)).body['interruptions']).toBe(1)
    finish.at(-1)?.()
    await reaches(first, 'done')
    await reaches(second, 'running')
    expect(run.mock.calls[2]?.[3]).toEqual({ id: second, isResumed: false })
    expect((await call('GET', `/api/imports/${second}`)).body['interruptions']).toBe(0)
  })

  it('gives up an import that interrupted the service many times', async () => {
    const id = await start(file('a.json'))
    for (let interruption = 0; interruption <= 5; interruption++) {
      await eventually(() => expect(run).toHaveBeenCalledTimes(interruption + 1))
      await kill()
    }
    await reaches(id, 'failed')
    expect(run).toHaveBeenCalledTimes(6)
    const { files } = (await call('GET', `/api/imports/${id}`)).body as { files: FileReport[] }
    expect(files[0]?.error).toMatch(/^the service ended 6 times during this import/)
  })

  it('is failed when a file vanished while the import was interrupted', async () => {
    const id = await start(file('a.json'), file('b.json'))
    await reaches(id, 'running')
    run.mockImplementationOnce(({ paths }) =>
      Promise.resolve(
        paths.map((path, index) => read(path, index === 0 ? null : `${GONE}: 3 rows`)),
      ),
    )
    await kill()
    await reaches(id, 'failed')
  })
})

describe('one at a time', () => {
  it('queues the second until the first has ended', async () => {
    const first = await start(file('a.json'))
    const second = await start(file('b.json'))
    await reaches(first, 'running')
    expect(await stateOf(second)).toBe('queued')
    finish[0]?.()
    await reaches(second, 'running')
    expect(await stateOf(first)).toBe('done')
  })

  it('continues after one that failed', async () => {
    run.mockRejectedValueOnce(new Error('the thread died'))
    const first = await start(file('a.json'))
    await reaches(first, 'failed')
    const { files } = (await call('GET', `/api/imports/${first}`)).body as { files: FileReport[] }
    expect(files[0]?.error).toBe('the thread died')
    await reaches(await start(file('b.json')), 'running')
  })
})

describe('DELETE /api/imports/{id}', () => {
  it('cancels running and queued imports', async () => {
    const first = await start(file('a.json'))
    const second = await start(file('b.json'))
    await reaches(first, 'running')
    const answer = { status: 200, body: { ok: true } }
    expect(await call('DELETE', `/api/imports/${second}`)).toEqual(answer)
    expect(await call('DELETE', `/api/imports/${first}`)).toEqual(answer)
    await reaches(first, 'cancelled')
    await reaches(second, 'cancelled')
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('refuses an import that has ended', async () => {
    const id = await start(file('a.json'))
    await reaches(id, 'running')
    finish[0]?.()
    await reaches(id, 'done')
    const { status, body } = await call('DELETE', `/api/imports/${id}`)
    expect([status, body]).toEqual([409, { error: 'Import is done', code: 'CONFLICT' }])
  })
})
