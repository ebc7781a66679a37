import { seriousFindings } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/app.ts'
import { openTerminal, useTheme } from './fixtures/terminal.ts'

for (const theme of ['dark', 'light', 'contrast']) {
  test(`the first workspace has no serious accessibility fault in theme ${theme}`, async ({
    app,
    page,
  }) => {
    await openTerminal(page, app.url)
    await useTheme(page, theme)
    expect(await seriousFindings(page)).toEqual([])
  })
}
