import { fireEvent, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { vi } from 'vitest'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'
import type { FakeService } from './fake-service.ts'
import { pageUnderTest, type Writes } from './page-under-test.ts'
import { OWNER, renderSignedIn } from './signed-in.svelte.ts'

const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

/**
 * A pane of a signed-in owner on mocked timers, with what it opens, runs and prefills.
 * @param prepare sets the topics of the service before the pane is drawn
 */
export async function shownPane(
  line: string,
  drawn: Component<{ terminal: Terminal; pane: Pane }>,
  answers: (path: string) => object | null,
  writes?: Writes,
  prepare: (service: FakeService) => void = () => {},
) {
  const page = pageUnderTest(
    (path) => (path.startsWith('/api/auth/me') ? OWNER : structuredClone(answers(path))),
    writes,
  )
  const { terminal } = page
  // The texts do not depend on the zone of the machine.
  terminal.settings.timeZone = 'UTC'
  prepare(page.service)
  const pane = page.paneOf(line)
  terminal.focusedPane = pane.id
  await renderSignedIn(drawn, terminal, pane)
  const opened = vi.spyOn(terminal, 'openMarket').mockReturnValue().mock.calls
  const ran = vi.spyOn(terminal, 'run').mockReturnValue(null).mock.calls
  const prefilled = vi.spyOn(terminal, 'prefill').mockReturnValue().mock.calls
  const keys = async (...chords: readonly string[]) => {
    for (const key of chords) {
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
      await pass(50)
    }
  }
  return { ...page, pane, keys, opened, ran, prefilled }
}

/** The texts of the cells of the shown tables, row by row. */
export const cells = () =>
  screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())

/** The texts of one column of a table, by its place from 0. */
export const column = (place: number) =>
  screen
    .getAllByRole('row')
    .map((row) => row.querySelectorAll('td')[place]?.textContent.trim())
    .filter((text) => text !== undefined)

export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

/** Clicks the row of a cell. */
export const clickCell = (name: string) => fireEvent.click(screen.getByRole('gridcell', { name }))

/** Clicks the row of a text. */
export const click = (text: string) => fireEvent.click(screen.getByText(text))
