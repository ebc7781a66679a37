import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import { silentLogger } from '../../lib/logger.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createBackupsService, type BackupsService } from './backups.service.ts'
import type { CopyStores } from './write-backup.ts'

let root: string
let dataDir: string
let service: BackupsService
/** Completes the current copy. */
let finish: (error?: Error) => void
const STORED = {
  stateSchema: '0001_x',
  history: {
    schema: 1,
    at: 0 as Millis,
    closedThrough: 0,
    files: [{ path: 'parquet/a.parquet', rows: 3, bytes: 5, sha256: 'x' }],
  },
}
const copyStores: CopyStores = (folder, { signal, onFile }) =>
  new Promise((resolve, reject) => {
    writeFileSync(join(folder, 'state.sqlite'), 'rows')
    onFile(1, 2)
    signal.addEventListener('abort', () => reject(new Error('stopped')))
    finish = (error) => {
      if (error === undefined) resolve(STORED)
      else reject(error)
    }
  })

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'augury-backups-')))
  dataDir = join(root, 'data')
  mkdirSync(dataDir)
  finish = () => {
    throw new Error('nothing is copied')
  }
  const around = { clock: new FakeClock(), logger: silentLogger }
  service = createBackupsService({ ...around, dataDir, copyStores, version: '0' })
})
afterEach(async () => {
  await service.close()
  rmSync(root, { recursive: true, force: true })
})

const stateOf = async (id: string) => (await service.find(id)).state
const reaches = (id: string, state: string) =>
  eventually(async () => expect(await stateOf(id)).toBe(state))

/** Starts a backup and waits until it copies the stores. */
async function begin(out = join(root, 'kept')): Promise<string> {
  const { id } = await service.start({ out })
  await eventually(async () => expect((await service.find(id)).filesDone).toBe(1))
  return id
}

describe('a backup', () => {
  it('runs from its start, and is moved to its place when complete', async () => {
    const id = await begin()
    expect(await service.find(id)).toMatchObject({ state: 'running', filesAll: 2, endedAt: null })
    expect(existsSync(join(root, 'kept'))).toBe(false)
    finish()
    await reaches(id, 'done')
    const bytes = 5 + 'rows'.length
    expect(await service.find(id)).toEqual({
      id,
      state: 'done',
      out: join(root, 'kept'),
      at: '1970-01-01T00:00:00.000Z',
      filesDone: 1,
      filesAll: 2,
      rows: 3,
      bytes,
      error: null,
      startedAt: '2026-11-20T14:00:00.000Z',
      endedAt: '2026-11-20T14:00:00.000Z',
    })
    expect(readdirSync(join(root, 'kept')).sort()).toEqual(['manifest.json', 'state.sqlite'])
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('leaves nothing when it is cancelled', async () => {
    const id = await begin()
    expect(await service.cancel(id)).toEqual({ ok: true })
    await reaches(id, 'cancelled')
    expect(await service.find(id)).toMatchObject({ error: null, at: null })
    expect([readdirSync(root), readdirSync(dataDir)]).toEqual([['data'], []])
    await expect(service.cancel(id)).rejects.toThrow(new Conflict('Backup is cancelled'))
  })

  it('leaves nothing when it fails, and reports why', async () => {
    const id = await begin()
    finish(new Error('no room'))
    await reaches(id, 'failed')
    expect(await service.find(id)).toMatchObject({ error: 'no room', at: null })
    expect([readdirSync(root), readdirSync(dataDir)]).toEqual([['data'], []])
  })

  it('is the only one at a time', async () => {
    const requested = [join(root, 'a'), join(root, 'b')].map((out) => service.start({ out }))
    const [first, second] = await Promise.allSettled(requested)
    expect(second).toEqual({ status: 'rejected', reason: new Conflict('A backup is running') })
    if (first?.status !== 'fulfilled') throw new Error('the first was refused')
    await eventually(() => finish())
    await reaches(first.value.id, 'done')
    const later = await begin(join(root, 'b'))
    finish()
    await reaches(later, 'done')
  })

  it('is not found under another id', async () => {
    await expect(service.find('bak_0')).rejects.toThrow(new NotFound('Backup not found'))
    await expect(service.cancel('bak_0')).rejects.toThrow(NotFound)
  })
})

describe('the destination of a backup', () => {
  it.each([
    ['kept', 'out must be an absolute path'],
    ['ROOT/data', 'out must be outside the data folder'],
    ['ROOT/data/exports', 'out must be outside the data folder'],
    ['ROOT', 'out must be outside the data folder'],
    ['ROOT/no/where', 'out must be in an existing folder'],
    ['ROOT/kept\u0000', 'out must not contain control characters'],
    [`ROOT/${'x'.repeat(300)}`, 'out cannot be written (ENAMETOOLONG)'],
  ])('is refused: %s', async (place, message) => {
    const out = place.replace('ROOT', root)
    const requested = service.start({ out, force: true })
    await expect(requested).rejects.toThrow(InvalidInput)
    await expect(requested).rejects.toThrow(message)
  })

  // [service.backup.no-harm]
  it('is refused where links lead into the data folder', async () => {
    mkdirSync(join(dataDir, 'secrets'))
    symlinkSync(dataDir, join(root, 'link'))
    symlinkSync(join(dataDir, 'secrets'), join(root, 'deep'))
    symlinkSync(root, join(root, 'above'))
    symlinkSync(join(dataDir, 'missing'), join(root, 'dangling'))
    for (const out of [
      'link',
      'link/new',
      'deep',
      'deep/kept',
      'above',
      'above/data',
      'dangling',
    ]) {
      for (const force of [false, true]) {
        const requested = service.start({ out: join(root, out), force })
        await expect(requested, out).rejects.toThrow(InvalidInput)
      }
    }
    expect(readdirSync(dataDir)).toEqual(['secrets'])
  })

  // [service.backup.no-harm]
  it('is checked again before the files are moved there', async () => {
    mkdirSync(join(root, 'folder'))
    const id = await begin(join(root, 'folder', 'kept'))
    rmSync(join(root, 'folder'), { recursive: true })
    symlinkSync(dataDir, join(root, 'folder'))
    finish()
    await reaches(id, 'failed')
    expect((await service.find(id)).error).toContain('out must be outside the data folder')
    expect(readdirSync(dataDir)).toEqual([])
  })

  // [service.backup.no-harm]
  it('is refused if something else exists there, even with force', async () => {
    const [folder, file] = [join(root, 'mine'), join(root, 'mine.txt')]
    mkdirSync(folder)
    for (const path of [file, join(folder, 'thesis.txt')]) writeFileSync(path, 'mine')
    const refusals = [
      [{ out: folder }, 'folder exists and is not empty'],
      [{ out: folder, force: true }, 'is not empty and does not contain a backup'],
      [{ out: file, force: true }, 'is a file'],
    ] as const
    for (const [body, message] of refusals) {
      const requested = service.start(body)
      await expect(requested).rejects.toThrow(Conflict)
      await expect(requested).rejects.toThrow(message)
    }
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
  })
})
