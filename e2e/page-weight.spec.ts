import { gzipSync } from 'node:zlib'
import { expect, test } from './fixtures/app.ts'

/** Limits of what the page loads before its first panes, in bytes of gzip. */
const SCRIPTS = 190_000
const STYLES = 20_000

test('the scripts and styles of the start stay within their limits [terminal.start.weight]', async ({
  app,
}) => {
  const html = await (await fetch(app.url)).text()
  const weightOf = async (kind: RegExp): Promise<number> => {
    const names = [...html.matchAll(kind)].map((match) => match[1] ?? '')
    expect(names).not.toEqual([])
    const files = await Promise.all(
      names.map(async (name) => (await fetch(new URL(name, app.url))).arrayBuffer()),
    )
    return files.reduce((sum, file) => sum + gzipSync(Buffer.from(file)).length, 0)
  }
  expect(await weightOf(/(?:src|href)="([^"]+\.js)"/g)).toBeLessThanOrEqual(SCRIPTS)
  expect(await weightOf(/href="([^"]+\.css)"/g)).toBeLessThanOrEqual(STYLES)
})
