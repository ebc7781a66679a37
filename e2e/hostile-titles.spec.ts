import type { Page } from '@playwright/test'
import { WORKSPACES } from '../renderer/shell/dock/workspaces.ts'
import { expect, test } from './fixtures/app.ts'
import { farthest, groupBoxes, stickingOut } from './fixtures/geometry.ts'
import { keepRefusals } from './fixtures/in-page.js'
import {
  FIRST_CONTEXT,
  openTerminal,
  openWorkspace,
  run,
  WITH_CONTEXT,
} from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

/** Hostile texts: each replaces every title, one after another. */
const HOSTILE: Readonly<Record<string, string>> = {
  scripts:
    '<script>window.struck=1</script><img src=x onerror="window.struck=1"><svg onload=window.struck=1>{{window.struck=1}}${window.struck=1}',
  links:
    '[click](javascript:window.struck=1) <a href="javascript:window.struck=1">here</a> ![](https://example.invalid/x.png)',
  bidi: '\u202Eegnaro eb lliW\u202C \u2066isolated\u2069 \u200Fright\u200F \u061Cmark',
  'right to left': 'هل ستخفض اللجنة الفائدة في ديسمبر؟ האם הריבית תרד?',
  'zero width': `W\u200Bi\u200Cl\u200Dl\uFEFF \u2060it${'\u200B'.repeat(400)}?`,
  'one long word': 'W'.repeat(5_000),
  'a long text': 'will it rain '.repeat(400),
  marks: `Z${'\u0351\u034B\u0489'.repeat(60)}algo 👩‍👩‍👧‍👦🏳️‍🌈${'🧨'.repeat(40)}`,
  'breaks and controls': 'line\r\nbreak\u2028separator\u0000null\u0007bell\ttab',
}

/** Fields of the service with texts from third parties. */
const WORDS = new Set([
  'title',
  'subtitle',
  'eventTitle',
  'description',
  'label',
  'headline',
  'summary',
  'pitch',
  'reasoning',
  'body',
  'text',
  'question',
  'synthesis',
  'argument',
])

/** Replaces texts by hostile ones, one after another, so that a pane shows all kinds. */
function hostileBody(value: unknown, next: () => string): unknown {
  if (Array.isArray(value)) return value.map((item) => hostileBody(item, next))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && inner !== '' && WORDS.has(name)
        ? next()
        : hostileBody(inner, next),
    ]),
  )
}

/**
 * Makes the service of a page return hostile texts, starting with the one at `turn`; null: its own
 * again.
 */
async function poison(page: Page): Promise<(turn: number | null) => void> {
  const texts = Object.values(HOSTILE)
  let from: number | null = null
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/'),
    async (route) => {
      try {
        const headers = { ...route.request().headers() }
        delete headers['if-none-match']
        const answer = await route.fetch({ headers })
        const body: unknown = await answer.json()
        let count = from ?? 0
        const next = () => texts[count++ % texts.length] ?? ''
        await route.fulfill({
          response: answer,
          json: from === null ? body : hostileBody(body, next),
        })
      } catch {
        await route.abort().catch(() => undefined)
      }
    },
  )
  return (turn) => {
    from = turn
  }
}

/** Policy violations, and whether a script of a title ran. */
async function watchDamage(page: Page): Promise<() => Promise<unknown>> {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('dialog', (dialog) => {
    errors.push('a dialog')
    void dialog.dismiss()
  })
  await page.addInitScript(keepRefusals)
  return async () => {
    const seen = await page.evaluate(() => {
      const window = globalThis as unknown as { refused: string[]; struck?: number }
      return { refused: window.refused, struck: window.struck ?? null }
    })
    return { ...seen, errors }
  }
}
const NO_DAMAGE = { refused: [], struck: null, errors: [] }

async function settled(page: Page): Promise<void> {
  await expect(page.locator('[data-pane] > *').first()).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0, FIRST_CONTEXT)
}

test('hostile titles execute nothing and break no pane of any workspace [terminal.hostile.titles]', async ({
  app,
  page,
}) => {
  const damage = await watchDamage(page)
  const setPoison = await poison(page)
  await openTerminal(page, app.url)
  const places = new Map<number, Awaited<ReturnType<typeof groupBoxes>>>()
  for (const { number } of WORKSPACES) await openWorkspace(page, number)
  // Later layouts are compared with a stored one, because the dock rounds shares as it loads.
  await page.reload()
  for (const { number } of WORKSPACES) {
    await openWorkspace(page, number)
    await settled(page)
    places.set(number, await groupBoxes(page))
  }
  // The pane of one market shows one title: each kind is used once.
  for (let turn = 0; turn < Object.keys(HOSTILE).length; turn += 2) {
    setPoison(turn)
    await page.reload()
    for (const { number } of WORKSPACES) {
      await openWorkspace(page, number)
      await settled(page)
      expect(await stickingOut(page), `${turn} in workspace ${number}`).toEqual([])
      const before = places.get(number) ?? []
      expect(farthest(before, await groupBoxes(page)), `${turn}`).toBeLessThanOrEqual(1)
    }
    expect(await damage(), `${turn}`).toEqual(NO_DAMAGE)
  }
  // The panes in background tabs, and the bar, which shows titles too.
  for (const { number } of WORKSPACES) {
    await openWorkspace(page, number)
    for (const tab of await page.locator('.dv-inactive-tab').all()) {
      await tab.click()
      await settled(page)
    }
    expect(await stickingOut(page), `behind, in workspace ${number}`).toEqual([])
  }
  await page.keyboard.press('/')
  await page.keyboard.type('wi')
  await expect(page.getByRole('option').first()).toBeVisible()
  expect(await stickingOut(page)).toEqual([])
  expect(await damage()).toEqual(NO_DAMAGE)
})

test('hostile texts are harmless in every typographic element [terminal.hostile.texts]', async ({
  app,
  page,
}) => {
  const damage = await watchDamage(page)
  const setPoison = await poison(page)
  await openTerminal(page, app.url)
  setPoison(0)
  for (const line of ['OPIN', 'BRIEF', 'TECH', 'IDEA', 'ASK oil', 'DISC oil', 'SKILL', 'GLOSS']) {
    await run(page, line)
    await settled(page)
    expect(await stickingOut(page), line).toEqual([])
    expect(await damage(), line).toEqual(NO_DAMAGE)
  }
  await expect(page.locator('main script, main iframe, main object, main img')).toHaveCount(0)
  await expect(page.locator('main a[href^="javascript:"]')).toHaveCount(0)
})
