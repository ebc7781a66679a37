import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { wasLeftOpen } from '../history/recovery/clean-stop.ts'
import { startProbe, type Probe } from '../history/recovery/probe-host.ts'
import { systemClock } from '../lib/clock.ts'
import { silentLogger } from '../lib/logger.ts'
import { openStores } from './stores.ts'

const home = mkdtempSync(join(tmpdir(), 'augury-stores-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const file = join(home, 'file')
writeFileSync(file, '')

describe('the data folder', () => {
  it('is created with all parent folders, readable by its owner only', async () => {
    const folder = join(home, 'a', 'b', 'c')
    const stores = await openStores(folder, silentLogger)
    await stores.close()
    for (const created of [join(home, 'a'), folder, join(folder, 'run')]) {
      expect(statSync(created).mode & 0o777).toBe(0o700)
    }
  })

  const unusable = [file, join(file, 'below'), ...(process.platform === 'linux' ? ['/proc/x'] : [])]
  it.each(unusable)('that cannot be created is reported at once: %s', async (folder) => {
    await expect(openStores(folder, silentLogger)).rejects.toThrow(
      `The data folder ${folder} cannot be written (`,
    )
  })
})

describe('an early integrity check', () => {
  /** A folder after a clean or unclean stop, and a probe that reports its state. */
  const folderOf = async (name: string, isClean: boolean) => {
    const folder = join(home, name)
    await (await openStores(folder, silentLogger)).close()
    if (!isClean) rmSync(join(folder, 'run', 'clean-stop.json'))
    const real = startProbe()
    const became: string[] = []
    const probe: Probe = {
      run(order, longest) {
        became.push('asked')
        return real.run(order, longest)
      },
      dismiss() {
        became.push('dismissed')
        real.dismiss()
      },
    }
    return { folder, probe, became }
  }

  it('runs when a history was left open', async () => {
    const { folder, probe, became } = await folderOf('left-open', false)
    expect(wasLeftOpen(folder)).toBe(true)
    await (await openStores(folder, silentLogger, systemClock, probe)).close()
    expect(became).toEqual(['asked', 'dismissed'])
  })

  it('is released after a clean stop', async () => {
    const { folder, probe, became } = await folderOf('clean', true)
    expect(wasLeftOpen(folder)).toBe(false)
    await (await openStores(folder, silentLogger, systemClock, probe)).close()
    expect(became).toEqual(['dismissed'])
  })

  it('is released when the folder is locked by another process', async () => {
    const { probe, became } = await folderOf('elsewhere', true)
    await expect(openStores(file, silentLogger, systemClock, probe)).rejects.toThrow()
    expect(became).toEqual(['dismissed'])
  })
})
