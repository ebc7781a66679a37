import type { Page } from '@playwright/test'
import { findingsInThemes } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/app.ts'
import { asPage, cardsOf, keptTitles, namesOf, presetBody, putPanels } from './fixtures/panels.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, openWorkspace, paneOf, run, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure({ timeout: WITH_CONTEXT.timeout })

const watch = 'Market watch'

/** Adds a panel by its line: it fills in the form, and Enter on the form’s button adds it. */
async function addPanel(page: Page, line: string): Promise<void> {
  await run(page, line)
  const form = paneOf(page, watch).getByRole('form', { name: 'New panel' })
  await expect(form.getByRole('button', { name: 'Add panel' })).toBeFocused()
  await page.keyboard.press('Enter')
}

test('panels are added by form and by command, moved, run, removed, and persist [terminal.board.form] [terminal.board.command] [terminal.board.reorder] [terminal.board.run] [terminal.board.remove] [terminal.board.workspace]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await putPanels(page, [])
  await openWorkspace(page, 4)
  const board = paneOf(page, watch)
  await expect(paneOf(page, 'Watchlist')).toBeVisible()
  await expect(board).toContainText('Your board has no panels yet.')
  await expect(board).toContainText('0 of 200 panels, 0 of 100 screens, refresh at least 5 s')

  // By the form, by keyboard alone.
  await board.getByRole('button', { name: 'Add panel' }).first().focus()
  await page.keyboard.press('n')
  await expect(board.getByLabel('Shows')).toBeFocused()
  await page.keyboard.type('Movers')
  await page.keyboard.press('Tab')
  await page.keyboard.type('What moves')
  await page.keyboard.press('Enter')
  await expect(board.getByRole('article', { name: '1. What moves' })).toBeFocused()

  // By command: it fills in the form, and a second Enter submits it. Too short an interval is
  // rejected.
  await run(page, 'PANEL add liquidity every=2s title="Where the money is"')
  const form = board.getByRole('form', { name: 'New panel' })
  await expect(form.getByRole('button', { name: 'Add panel' })).toBeFocused()
  expect(await keptTitles(page)).toEqual(['What moves'])
  await page.keyboard.press('Enter')
  const often = form.getByRole('textbox', { name: 'Refresh interval' })
  await expect(often).toBeFocused()
  await expect(often).toHaveAccessibleDescription(
    'Your tier refreshes a panel at most every 5 s. Enter 5 s or more.',
  )
  await page.keyboard.press('Control+a')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(board.getByRole('article', { name: '2. Where the money is' })).toBeFocused()
  await addPanel(page, 'PANEL add index -manual title=Index')
  await expect(board.getByRole('article', { name: '3. Index' })).toBeFocused()

  // Alt and an arrow move it, and announce it.
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(board.getByRole('article', { name: '2. Index' })).toBeFocused()
  await expect(
    board.getByRole('status').filter({ hasText: 'moved to position 2 of 3' }),
  ).toHaveCount(1)
  await expect.poll(() => keptTitles(page)).toEqual(['What moves', 'Index', 'Where the money is'])

  // A dragged card stays where it was dropped.
  const header = (name: string) => board.getByRole('article', { name }).locator('header')
  await header('3. Where the money is').dragTo(header('1. What moves'), {
    sourcePosition: { x: 10, y: 10 },
    targetPosition: { x: 10, y: 10 },
  })
  await expect
    .poll(() => namesOf(page))
    .toEqual(['1. Where the money is', '2. What moves', '3. Index'])

  // A manual run, and the ring of its cooldown.
  const movers = board.getByRole('article', { name: '2. What moves' })
  await expect(movers.getByRole('rowheader').first()).toBeVisible(FIRST_CONTEXT)
  await page.keyboard.press('j')
  await expect(movers).toBeFocused()
  await page.keyboard.press('u')
  const ring = movers.getByRole('button', { name: 'Run What moves now' })
  await expect(ring).toHaveAttribute('data-cooldown', /^[1-5]$/)
  await expect(ring).toHaveAttribute('title', /^Refresh again in \d s \(Institutional\)$/)
  await expect(ring).not.toHaveAttribute('data-cooldown')

  // Removed at once, restored by UNDO, removed again.
  await page.keyboard.press('End')
  await page.keyboard.press('Delete')
  await expect(cardsOf(page)).toHaveCount(2)
  await run(page, 'UNDO')
  await expect(board.getByRole('article', { name: '3. Index' })).toBeVisible()
  await run(page, 'PANEL remove 2')
  await expect(cardsOf(page)).toHaveCount(2)

  await page.reload()
  await expect.poll(() => namesOf(page)).toEqual(['1. Where the money is', '2. Index'])
})

interface OpenApi {
  readonly paths: Readonly<
    Record<string, { post: { responses: Readonly<Record<string, unknown>> } }>
  >
}

/** Every reason code in a schema. */
function reasonsIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const reason = (schema as { properties?: { reason?: { enum?: unknown; const?: unknown } } })
    .properties?.reason
  const own = [...(Array.isArray(reason?.enum) ? reason.enum : []), reason?.const]
  return [...own, ...Object.values(schema).flatMap(reasonsIn)].filter(
    (word): word is string => typeof word === 'string',
  )
}

test('every error reason of the service has its own message beside its field [terminal.board.reasons]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  const document = (await asPage(page, 'GET', '/openapi.json')) as OpenApi
  const reasons = [
    ...new Set(reasonsIn(document.paths['/api/dashboard2/market-watch/panels']?.post.responses)),
  ]
  expect(reasons.length).toBeGreaterThanOrEqual(28)
  await openWorkspace(page, 4)
  await run(page, 'PANEL add prices title=x')
  const form = paneOf(page, watch).getByRole('form', { name: 'New panel' })
  const texts = new Map<string, string>()
  for (const reason of reasons) {
    await page.route('**/market-watch/panels', (route) =>
      route.fulfill({ status: 400, json: { reason, error: 'RAW WORDS' } }),
    )
    const answered = page.waitForResponse('**/market-watch/panels')
    await form.getByRole('button', { name: 'Add panel' }).click()
    await answered
    await expect(form.getByRole('alert')).not.toContainText('RAW')
    texts.set(reason, await form.getByRole('alert').innerText())
    await page.unroute('**/market-watch/panels')
  }
  expect([...texts.values()].filter((text) => !/^[A-Z][^_]+\.$/.test(text))).toEqual([])
  expect(new Set(texts.values()).size).toBe(reasons.length)
})

test('a free tier shows its limits, and explains refusals beyond them [terminal.board.tier]', async ({
  app,
  page,
}) => {
  await page.goto(app.url)
  await asPage(page, 'POST', '/api/signup', {
    email: 'free@example.test',
    password: 'correct horse battery',
    name: 'Free',
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Account of Free' })).toBeVisible()
  await putPanels(page, [
    presetBody('data_health', 'table'),
    presetBody('movers_volume_z', 'table'),
  ])
  await openWorkspace(page, 4)
  const board = paneOf(page, watch)
  await addPanel(page, 'PANEL add prices -manual')
  await expect(board).toContainText('3 of 3 panels, 1 of 1 screens, refresh at least 5 min')
  await addPanel(page, 'PANEL add index -manual')
  await expect(board.getByRole('alert')).toHaveText('Your tier allows 3 panels. Remove one first.')
  await page.keyboard.press('Escape')
  await putPanels(page, [])
})

test('an open panel shows all its rows, and a key opens their markets [terminal.board.keys]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await putPanels(page, [presetBody('movers_volume_z', 'sparkline', 'Movers')])
  await openWorkspace(page, 4)
  const board = paneOf(page, watch)
  await expect(board.getByRole('img', { name: /^Movers: \d+ markets moved/ })).toBeVisible(
    FIRST_CONTEXT,
  )
  await board.getByRole('article', { name: '1. Movers' }).focus()
  await page.keyboard.press('Enter')
  const rows = board.getByRole('grid', { name: 'Rows of Movers' })
  await expect(rows.getByRole('row').nth(2)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('g')
  await expect(page.locator('[data-pane]:focus-within')).toHaveAttribute('aria-label', /^Chart/)
  await run(page, 'MW')
  await page.keyboard.press('Escape')
  await expect(board.getByRole('article', { name: '1. Movers' })).toBeFocused()
  // Help lists the keys of the board.
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('move the panel down a row')
})

const HOSTILE = `<img src=x onerror="document.title='hit'"> ${'Überlänge'.repeat(5)}‮ end`
const ALL = [
  'sf_index_24h',
  'liquidity_by_theme',
  'regime_attention',
  'cross_venue_contagion',
  'movers_volume_z',
  'data_health',
  'calendar_catalysts',
  'watchlist_microstructure',
]
const DRAWN = ['line', 'bar', 'table', 'list', 'sparkline', 'gauge', 'stat']

test('every preset is drawn, and no title breaks a card [terminal.board.layout] [terminal.board.accessible]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await putPanels(
    page,
    ALL.map((id, index) =>
      presetBody(id, DRAWN[index % DRAWN.length] ?? 'table', HOSTILE.slice(0, 78)),
    ),
  )
  await openWorkspace(page, 4)
  const board = paneOf(page, watch)
  await expect(cardsOf(page)).toHaveCount(ALL.length)
  await expect(board.getByText('Computing for the first time')).toHaveCount(0, FIRST_CONTEXT)
  for (const width of [1440, 900]) {
    await page.setViewportSize({ width, height: 900 })
    const laidOut = async () => {
      const wider = await cardsOf(page).evaluateAll(
        (cards) => cards.filter((card) => card.scrollWidth > card.clientWidth).length,
      )
      const isPageWider = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      return [width, wider, isPageWider]
    }
    // The dock follows the window a frame or two later.
    await expect.poll(laidOut).toEqual([width, 0, false])
  }
  expect(await page.title()).toBe('Augury')
  await run(page, 'PANEL add prices')
  await expect(board.getByRole('form', { name: 'New panel' })).toBeVisible()
  expect(await findingsInThemes(page, `section[aria-label="${watch}"]`)).toEqual([])
  await page.keyboard.press('Escape')
  await putPanels(page, [])
})
