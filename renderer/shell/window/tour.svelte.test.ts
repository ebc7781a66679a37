import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, it } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import type { Dock } from '../dock/dock.ts'
import { parseLine } from '../commands/parse.ts'
import { TOUR_TEXTS } from './tour-texts.ts'
import { Tour, TOUR } from './tour.svelte.ts'
import TourCard from './TourCard.svelte'

it('the tour runs six real commands, one per step [terminal.window.tour]', async () => {
  const { terminal } = pageUnderTest(() => null)
  terminal.dock = { add: () => {}, activate: () => {}, describe: () => {} } as Partial<Dock> as Dock
  for (const line of TOUR) expect(parseLine(line)).toBeInstanceOf(Array)
  expect(terminal.run('HELP TOUR')).toBeNull()
  render(TourCard, { terminal })
  for (const [index, line] of TOUR.entries()) {
    const { title } = TOUR_TEXTS[line]
    expect(screen.getByText(title)).toBeTruthy()
    expect(screen.getByText(`${index + 1} of 6`)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: /^(Next|Done)/ }))
  }
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(terminal.past.slice(1)).toEqual([...TOUR])
})

it('goes back to the first step, and does nothing before its start and after its end', () => {
  const ran: string[] = []
  const tour = new Tour((line) => void ran.push(line))
  tour.next()
  tour.back()
  expect([tour.line, tour.place, ran]).toEqual([null, null, []])
  tour.start()
  tour.back()
  tour.next()
  tour.back()
  expect([tour.line, ran]).toEqual([TOUR[0], [TOUR[0], TOUR[1], TOUR[0]]])
  tour.end()
  tour.next()
  expect([tour.line, ran.length]).toEqual([null, 3])
})
