import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { silentLogger } from './lib/logger.ts'
import { openStores } from './stores.ts'

const home = mkdtempSync(join(tmpdir(), 'augury-stores-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('the data folder', () => {
  it('is made with all folders above it, for its owner alone', async () => {
    const folder = join(home, 'a', 'b', 'c')
    const stores = await openStores(folder, silentLogger)
    await stores.close()
    for (const made of [join(home, 'a'), folder, join(folder, 'run')]) {
      expect(statSync(made).mode & 0o777).toBe(0o700)
    }
  })

  const file = join(home, 'file')
  writeFileSync(file, '')
  const unusable = [file, join(file, 'below'), ...(process.platform === 'linux' ? ['/proc/x'] : [])]
  it.each(unusable)('that cannot be made is told at once: %s', async (folder) => {
    await expect(openStores(folder, silentLogger)).rejects.toThrow(
      `The data folder ${folder} cannot be written (`,
    )
  })
})
