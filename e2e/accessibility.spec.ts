import { WORKSPACES } from '../renderer/shell/dock/workspaces.ts'
import { findingsInThemes, seriousFindings } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/app.ts'
import {
  FIRST_CONTEXT,
  openTerminal,
  openWorkspace,
  run,
  WITH_CONTEXT,
} from './fixtures/terminal.ts'

test.describe.configure(WITH_CONTEXT)

/** Panes outside of workspaces, one per kind of drawing. */
const OTHERS = [
  'TECH',
  'OPIN',
  'FEED iran',
  'CAL',
  'CALIB all',
  'YC',
  'HEALTH',
  'SET',
  'HELP',
  'TERM',
]
/** The narrow window is checked in one theme: its colours are those of the wide one. */
const NARROW = { width: 320, height: 640 }

test('no workspace has a serious accessibility violation in any theme [terminal.axe.workspaces]', async ({
  app,
  page,
}) => {
  await openTerminal(page, app.url)
  for (const { number, name } of WORKSPACES) {
    await openWorkspace(page, number)
    await expect(page.locator('.skeleton')).toHaveCount(0, FIRST_CONTEXT)
    expect(await findingsInThemes(page), name).toEqual([])
  }
  for (const line of OTHERS) {
    await run(page, line)
    await expect(page.locator('.skeleton')).toHaveCount(0, FIRST_CONTEXT)
    expect(await findingsInThemes(page, '.dv-active-group'), line).toEqual([])
  }
  await page.setViewportSize(NARROW)
  await expect(page.locator('html')).toHaveAttribute('data-column')
  expect(await seriousFindings(page), 'narrow').toEqual([])
})
