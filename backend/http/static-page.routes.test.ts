import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask } from '../testing/asking.ts'
import { closedAfterTest, probe } from '../testing/probe-service.ts'

describe('the page', () => {
  it('serves the built files with their types and nothing outside the folder', async () => {
    const outer = await mkdtemp(join(tmpdir(), 'augury-page-'))
    const folder = join(outer, 'page')
    await mkdir(join(folder, 'assets'), { recursive: true })
    await writeFile(join(folder, 'index.html'), '<!doctype html>')
    await writeFile(join(folder, 'assets', 'main-Bq3xYz12.js'), 'export {}')
    await writeFile(join(outer, 'secret.json'), '{}')
    const served = closedAfterTest(await probe().serve({ pageFolder: folder, fairUse: 3 }))
    const index = await ask(`${served.url}/`)
    expect(index.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(index.headers['content-security-policy']).toContain("default-src 'self'")
    expect(index.headers['content-security-policy']).not.toContain('unsafe')
    const script = await ask(`${served.url}/assets/main-Bq3xYz12.js`)
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toContain('immutable')
    expect(script.headers['x-ratelimit-limit']).toBe('6000')
    for (const path of ['/..%2fsecret.json', '/%2e%2e/secret.json', '/index.html']) {
      expect([path, (await ask(served.url + path)).status]).toEqual([path, 404])
    }
    await rm(outer, { recursive: true })
  })
})
