import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createExportTargets, type TargetOf } from './export-targets.ts'

let root: string
let dataDir: string
const placesWith = (...exportDirs: string[]): TargetOf =>
  createExportTargets({ dataDir, exportDirs })

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'augury-places-')))
  dataDir = join(root, 'data')
  for (const folder of ['data/secrets', 'data/exports', 'out']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the destination of an export', () => {
  it.each(['secrets/trades.csv', 'state.sqlite', 'run', '.', 'exports/../secrets/x'])(
    'is never DATA/%s, even where a configured folder holds the data folder',
    async (path) => {
      for (const folder of [root, dataDir]) {
        await expect(placesWith(folder)(join(dataDir, path))).rejects.toThrow('out must be inside')
      }
    },
  )

  it('is never in the data folder through a link of a configured folder', async () => {
    symlinkSync(dataDir, join(root, 'out', 'link'))
    const placeOf = placesWith(join(root, 'out'), root)
    for (const path of ['link/secrets/x.csv', 'link/new', 'link']) {
      await expect(placeOf(join(root, 'out', path))).rejects.toThrow('out must be inside')
    }
    rmSync(join(dataDir, 'exports'), { recursive: true })
    symlinkSync(dataDir, join(dataDir, 'exports'))
    await expect(placeOf('x.csv')).rejects.toThrow('out must be inside')
  })

  it('is in the exports of the data folder, or in a configured folder', async () => {
    const placeOf = placesWith(root)
    expect(await placeOf('x.csv')).toBe(join(dataDir, 'exports', 'x.csv'))
    expect(await placeOf(join(root, 'x.csv'))).toBe(join(root, 'x.csv'))
  })
})
