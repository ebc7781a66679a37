import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HistoryExports } from '../../history/history-copies.ts'
import { Conflict, NotFound, StoreFailed } from '../../lib/errors.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openState, type State } from '../../state/open.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { fakeHistory } from '../../testing/fake-history.ts'
import { createExportTargets } from './export-targets.ts'
import { createExporter } from './exporter.ts'
import { createExportsService, type ExportsService } from './exports.service.ts'
import { createExportsStore } from './exports.store.ts'

let dataDir: string
let state: State
let service: ExportsService
let copyTo: ReturnType<typeof vi.fn<HistoryExports['copyTo']>>

const open = (exportDirs: string[] = []): ExportsService => {
  const targetOf = createExportTargets({ dataDir, exportDirs })
  const clock = new FakeClock()
  return createExportsService({
    store: createExportsStore(state),
    exporter: createExporter({ copyTo, targetOf, dataDir, clock }),
    history: fakeHistory({}),
    targetOf,
    clock,
    logger: silentLogger,
  })
}
/** Test history that writes one line and completes. */
const quick: HistoryExports['copyTo'] = (kind, _query, path) => {
  writeFileSync(path, `${kind}\n`)
  return Promise.resolve({ rows: 1 })
}
/** Writes one line, reports it, and waits for the abort signal. */
const endless: HistoryExports['copyTo'] = (kind, _query, path, { onRows, signal } = {}) => {
  writeFileSync(path, `${kind}\n`)
  onRows?.(7)
  return new Promise((_, reject) => {
    const end = (): void => {
      rmSync(path, { force: true })
      reject(new StoreFailed('The history could not answer'))
    }
    if (signal?.aborted === true) end()
    signal?.addEventListener('abort', end)
  })
}

beforeEach(async () => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'augury-exports-')))
  state = await openState(':memory:')
  copyTo = vi.fn(quick)
  service = open()
})
afterEach(async () => {
  await service.close()
  await state.destroy()
  rmSync(dataDir, { recursive: true, force: true })
})

const body = { out: 'x.csv', format: 'csv', kind: 'trades' } as const
const reaches = (id: string, state: string) =>
  eventually(async () => expect((await service.find(id)).state).toBe(state))
const left = (): string[] =>
  ['export', 'exports'].flatMap((folder) => {
    const path = join(dataDir, folder)
    return existsSync(path) ? readdirSync(path) : []
  })

describe('exports', () => {
  it('run one at a time, and report progress', async () => {
    copyTo.mockImplementation(endless)
    const { id } = await service.start(body)
    const second = await service.start({ ...body, out: 'y.csv' })
    await eventually(async () => expect((await service.find(id)).rows).toBe(7))
    expect(await service.find(id)).toMatchObject({ state: 'running', files: [], endedAt: null })
    expect((await service.find(second.id)).state).toBe('queued')
    expect(left().filter((name) => name.startsWith('x'))).toEqual(['x.markets.csv'])
  })

  it('leave nothing when they are cancelled, running or waiting', async () => {
    copyTo.mockImplementation(endless)
    const { id } = await service.start(body)
    const second = await service.start({ ...body, out: 'y.csv' })
    await reaches(id, 'running')
    expect(await service.cancel(second.id)).toEqual({ ok: true })
    expect(await service.cancel(id)).toEqual({ ok: true })
    await reaches(id, 'cancelled')
    await reaches(second.id, 'cancelled')
    expect((await service.find(id)).error).toBeNull()
    expect(left()).toEqual([])
    await expect(service.cancel(id)).rejects.toThrow(new Conflict('Export is cancelled'))
    await expect(service.cancel('exp_0')).rejects.toThrow(NotFound)
  })

  it('leave nothing and report a full disk', async () => {
    copyTo.mockImplementationOnce(quick)
    copyTo.mockImplementationOnce(() => {
      const cause = new Error('IO Error: Could not write file "x": No space left on device')
      return Promise.reject(new StoreFailed('The history could not answer', { cause }))
    })
    const { id } = await service.start(body)
    await reaches(id, 'failed')
    expect(await service.find(id)).toMatchObject({
      error: 'The disk is full: nothing was written',
      files: [],
    })
    expect(left()).toEqual([])
    const again = await service.start(body)
    await reaches(again.id, 'done')
    expect(left().sort()).toEqual(['x.csv', 'x.markets.csv'])
  })

  it('interrupted by the end of the process are failed, leave nothing, and can be run again', async () => {
    copyTo.mockImplementation(endless)
    const { id } = await service.start(body)
    await reaches(id, 'running')
    await eventually(() => expect(left()).toEqual(['x.markets.csv']))
    const before = service
    copyTo.mockImplementation(quick)
    service = open()
    await reaches(id, 'failed')
    expect(await service.find(id)).toMatchObject({ error: 'The service stopped', files: [] })
    const again = await service.start(body)
    await reaches(again.id, 'done')
    expect(readFileSync(join(dataDir, 'exports', 'x.csv'), 'utf8')).toBe('trades\n')
    await before.close()
  })

  it('treat a name that appeared meanwhile as existing', async () => {
    copyTo.mockImplementation((kind, query, path, options) => {
      mkdirSync(join(dataDir, 'exports'), { recursive: true })
      writeFileSync(join(dataDir, 'exports', 'x.csv'), 'mine')
      return quick(kind, query, path, options)
    })
    const { id } = await service.start(body)
    await reaches(id, 'failed')
    expect((await service.find(id)).error).toBe('file exists')
    expect(left()).toEqual(['x.csv'])
  })

  it('remove the older file of a kind that has no rows any more', async () => {
    const forced = { out: 'all', format: 'csv', force: true } as const
    await reaches((await service.start(forced)).id, 'done')
    copyTo.mockImplementation(async (kind, query, path, options) => {
      const { rows } = await quick(kind, query, path, options)
      return { rows: kind === 'books' ? 0 : rows }
    })
    await reaches((await service.start(forced)).id, 'done')
    const left = [
      'candles',
      'changes',
      'corrections',
      'coverage',
      'markets',
      'quotes',
      'snapshots',
      'trades',
    ]
    expect(readdirSync(join(dataDir, 'exports', 'all')).sort()).toEqual(
      left.map((name) => `${name}.csv`),
    )
  })

  const otherDisk = ['/dev/shm', '/var/tmp', homedir()].find(
    (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
  )
  it.skipIf(otherDisk === undefined)(
    'are complete on another disk (skipped without one)',
    async () => {
      const elsewhere = mkdtempSync(join(otherDisk ?? '', 'augury-exports-'))
      try {
        await service.close()
        service = open([elsewhere])
        const { id } = await service.start({ ...body, out: join(elsewhere, 'x.csv') })
        await reaches(id, 'done')
        expect(readdirSync(elsewhere).sort()).toEqual(['x.csv', 'x.markets.csv'])
        expect(left()).toEqual([])
      } finally {
        rmSync(elsewhere, { recursive: true })
      }
    },
  )
})
