import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { openBrowser } from './browser.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-browser-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Opens an address with a program of this script. */
function openWith(script: string) {
  const program = join(folder, 'xdg-open')
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  const clock = new FakeClock()
  const env = { DISPLAY: ':9', PATH: `${folder}:/usr/bin:/bin` }
  const { signal } = new AbortController()
  return {
    clock,
    opened: openBrowser('http://127.0.0.1/', { platform: 'linux', env, clock, signal }),
  }
}

describe('opening a browser', () => {
  it.each([
    ['exit 0', true],
    ['exit 3', false],
  ])('works if its program ends with 0: %s', async (script, works) => {
    expect(await openWith(script).opened).toBe(works)
  })

  it('does not wait for a program that becomes the browser', async () => {
    const pidFile = join(folder, 'pid')
    const { clock, opened } = openWith(`echo $$ > '${pidFile}'; exec sleep 60`)
    const pid = await eventually(() => {
      const text = readFileSync(pidFile, 'utf8')
      expect(text).toMatch(/\d\n/)
      return Number(text)
    })
    try {
      await clock.advance(5_000)
      expect(await opened).toBe(true)
    } finally {
      process.kill(pid)
    }
  })

  it('is not possible without a desktop', async () => {
    const system = { env: {}, clock: new FakeClock(), signal: new AbortController().signal }
    expect(await openBrowser('http://127.0.0.1/', { platform: 'linux', ...system })).toBe(false)
  })
})
