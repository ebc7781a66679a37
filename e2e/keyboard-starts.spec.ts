import type { Page } from '@playwright/test'
import { expect, test, type RunningApp } from './fixtures/app.ts'
import { openMarkets, typedName } from './fixtures/market-names.ts'
import { clearWatchlist } from './fixtures/clean-account.ts'
import { openSignedIn } from './fixtures/sign-in.ts'
import { FIRST_CONTEXT, WITH_CONTEXT } from './fixtures/terminal.ts'

test.describe.configure({ timeout: 2 * WITH_CONTEXT.timeout })

const focused = (page: Page) => page.locator('[data-pane]:focus-within')
const notice = (page: Page) => page.getByRole('contentinfo').getByRole('status')
const focusOn = (page: Page, title: RegExp) =>
  expect(focused(page)).toHaveAttribute('aria-label', title)

/** Jobs on the first market of a page that was just opened: keys, and what shows that it is done. */
const JOBS: readonly {
  readonly name: string
  readonly keys: readonly string[]
  done(page: Page): Promise<void>
}[] = [
  { name: 'chart it', keys: ['g'], done: (page) => focusOn(page, /^Chart/) },
  // Before the alert, which would keep the market on the watchlist.
  {
    name: 'watch it',
    keys: ['w'],
    done: (page) => expect(notice(page)).toHaveText(/added to the watchlist/),
  },
  {
    name: 'set an alert',
    keys: ['a', '9', '9', 'Enter'],
    done: (page) => expect(notice(page)).toHaveText(/^Alert set: .* ≥ 99/),
  },
  { name: 'another workspace', keys: ['Alt+2'], done: (page) => focusOn(page, /^Chart/) },
  {
    name: 'save the rows',
    keys: ['Control+Shift+E'],
    done: (page) => expect(notice(page)).toHaveText(/^Saved \d+ rows/),
  },
]

/** The page as a first start shows it. */
async function startFresh(page: Page, { url }: RunningApp): Promise<void> {
  // A page stores its layout when it is left.
  await page.goto(`${url}/icon.svg`)
  await page.evaluate(() => localStorage.clear())
  await page.goto(url)
  // The market in focus is marked in the list.
  await expect(page.locator('[role="row"].current').first()).toBeVisible(FIRST_CONTEXT)
}

test('the six daily jobs work from a page that was just opened [terminal.keyboard.fresh]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await clearWatchlist(page, app)
  await test.step('open a market by name', async () => {
    const { typed, word } = await typedName(app)
    await startFresh(page, app)
    const keys = ['/', ...Array.from(typed), 'ArrowDown', 'Enter']
    expect(keys.length).toBeLessThanOrEqual(6)
    for (const key of keys) {
      if (key === 'ArrowDown')
        await expect(page.getByRole('listbox', { name: 'Suggestions' })).toContainText(word)
      await page.keyboard.press(key)
    }
    await focusOn(page, /^Details/)
    await expect(focused(page).getByRole('heading', { level: 2 })).toContainText(word)
  })
  for (const job of JOBS) {
    await test.step(job.name, async () => {
      await startFresh(page, app)
      for (const key of job.keys) await page.keyboard.press(key)
      await job.done(page)
    })
  }
})

/** They are dates of many markets and name none. */
const MONTHS = 'January February September October November December'.split(' ')

/** A word with two letters exchanged. */
const mistyped = (word: string) =>
  word.slice(0, 2) + word.charAt(3) + word.charAt(2) + word.slice(4)

test('free text, typos, outcomes, parts of tickers and venues open what is meant [terminal.search.starts]', async ({
  app,
  page,
}) => {
  await openSignedIn(page, app)
  await startFresh(page, app)
  const markets = await openMarkets(app)
  const bar = page.getByRole('combobox', { name: 'Command' })
  const first = page.getByRole('option').first()
  /** Types a text; Enter opens a market or a list, a second one the nearest that is offered. */
  const open = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await expect(async () => {
      if ((await bar.inputValue()) !== '' && (await first.getAttribute('aria-selected')) === 'true')
        await page.keyboard.press('Enter')
      expect(await bar.inputValue()).toBe('')
    }).toPass({ timeout: 30_000 })
  }
  const result = () =>
    focused(page)
      .getByRole('heading', { level: 2 })
      .or(focused(page).getByRole('gridcell').first())
      .first()

  await test.step('event and outcome', async () => {
    const [market] = markets.filter(({ title }) => / - \S/.test(title))
    expect(market, 'a market with an outcome').toBeDefined()
    const [event = '', outcome = ''] = market?.title.replaceAll('?', '').split(' - ') ?? []
    await open(`${event.split(' ').slice(-4).join(' ')} ${outcome}`)
    await expect(result()).toContainText(outcome)
  })
  await test.step('a typing error', async () => {
    const words = markets.flatMap(({ title }) => title.match(/\b\p{Lu}\p{L}{6,}\b/gu) ?? [])
    const [word = ''] = words.filter((name) => !MONTHS.includes(name) && name[2] !== name[3])
    expect(word, 'a name').not.toBe('')
    await open(mistyped(word))
    await expect(result()).toContainText(word)
  })
  await test.step('the code of a series', async () => {
    const [market] = markets.filter(({ venue }) => venue === 'venue_a')
    const series = market?.ticker.split('-')[0] ?? ''
    await open(series.toLowerCase())
    await expect(focused(page).locator(`[title*="${series}-"]`).first()).toBeVisible()
  })
  await test.step('the other venue', async () => {
    const topics = ['bitcoin', 'ethereum', 'fed', 'trump', 'oil', 'iran', 'inflation', 'senate']
    const topic = topics.find((word) =>
      markets.some((row) => row.venue === 'venue_b' && row.title.toLowerCase().includes(word)),
    )
    expect(topic, 'a topic of the other venue').toBeDefined()
    await open(`${topic ?? ''} polymarket`)
    const shown = focused(page).locator('[title="Polymarket"], .chip:text-is("Polymarket")')
    await expect(shown.first()).toBeVisible()
    await expect(focused(page).getByTitle('Kalshi', { exact: true })).toHaveCount(0)
  })
  await test.step('the names of the news', async () => {
    for (const text of ['powell', 'fed dec cut', 'hormuz']) {
      const isListed = markets.some(({ title }) =>
        title.toLowerCase().includes(text.split(' ')[0] ?? ''),
      )
      if (isListed) {
        await open(text)
        await expect(focused(page)).toHaveAttribute('aria-label', /^(Details|Markets)/)
      }
    }
  })
})
