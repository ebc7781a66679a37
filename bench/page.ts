import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { findTestBrowser } from '../scripts/browsers.mjs'
import type { BenchRow } from './bench-row.ts'
import { backfilled, startService } from './service.ts'
import { median } from './rounds.ts'

const PAGE = fileURLToPath(new URL('../dist/page', import.meta.url))
const ROUNDS = 5

/** Gzipped kB of the scripts that the page loads at startup. */
function initialScripts(): number {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8')
  const names = [...html.matchAll(/(?:src|href)="\/?(assets\/[^"]+\.js)"/g)].map(
    (match) => match[1],
  )
  const bytes = names.map((name) => gzipSync(readFileSync(join(PAGE, name ?? ''))).length)
  return bytes.reduce((sum, size) => sum + size, 0) / 1_000
}

const allScripts = (): number =>
  readdirSync(join(PAGE, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(PAGE, 'assets', name))).length, 0) /
  1_000

/** First paint and script weight of the terminal on the demo. */
export async function benchPage(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-page-'))
  const service = await startService([
    '--source',
    'demo',
    '--demo-markets',
    '300',
    '--data',
    folder,
  ])
  await backfilled(folder)
  const executablePath = findTestBrowser(process.platform, process.env)
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
  })
  try {
    const paints: number[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(service.url, { waitUntil: 'load' })
      const paint = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      )
      if (round > 0) paints.push(paint)
      await page.close()
    }
    const row = { baseline: null, ratio: null }
    const kilobytes = { ...row, unit: 'kB gzip', note: null }
    return [
      {
        ...row,
        name: 'first contentful paint',
        ours: median(paints),
        unit: 'ms',
        goal: '≤ 300 ms',
        note: `median of ${ROUNDS}, headless, software rendering`,
      },
      { ...kilobytes, name: 'initial scripts', ours: initialScripts(), goal: '≤ 190 kB' },
      { ...kilobytes, name: 'all scripts', ours: allScripts(), goal: '≤ 640 kB (190 + 450)' },
    ]
  } finally {
    await browser.close()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
