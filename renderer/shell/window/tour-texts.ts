import type { TourLine } from './tour.svelte.ts'

/** The text of the tour's card about each command. */
export const TOUR_TEXTS: Readonly<
  Record<TourLine, { readonly title: string; readonly text: string }>
> = {
  SCAN: {
    title: 'Markets',
    text: 'The most traded markets. j and k move between rows, Enter opens a market, w adds it to the watchlist, s sorts. Text and filters narrow the list: SCAN oil price=20..60.',
  },
  '. GP 1h': {
    title: 'The chart',
    text: 'The dot is the market in focus; panes with the same letter follow it. [ and ] change the timeframe, + and − zoom, c moves the crosshair with the arrow keys, t shows a table.',
  },
  '. BOOK': {
    title: 'Order book',
    text: 'Bids and asks around the mid, as published by the venue. A price whose source has stopped updating is marked STALE.',
  },
  WORLD: {
    title: 'The world',
    text: 'Every five minutes the service computes what is unusual. Enter explains the selected item, v shows regions, i explains the figure.',
  },
  'CAL 30d': {
    title: 'Upcoming events',
    text: 'Releases, meetings, elections and settlements, soonest first. Ctrl+Shift+E saves the rows of any pane, Space pauses a pane.',
  },
  TERM: {
    title: 'Your commands',
    text: 'Each result with its time and age. SAVE stores this workspace under a name, Ctrl+Z undoes a change, ? lists the keys of the focused pane.',
  },
}
