import type {
  PRESET_IDS,
  SCREEN_SOURCES,
  SCREEN_WINDOWS,
  VISUALIZATIONS as SERVED,
} from '../../../../backend/contract/panels/panel-names.ts'
import { app, type CommandSpec } from '../command-spec.ts'

type PresetId = (typeof PRESET_IDS)[number]
type ScreenSource = (typeof SCREEN_SOURCES)[number]

/** The content of a panel: one of the presets, or a screen over one source. */
export type PanelSubject =
  | { readonly kind: 'preset'; readonly id: PresetId }
  | { readonly kind: 'screen'; readonly id: ScreenSource }

const PRESETS = {
  index: 'sf_index_24h',
  liquidity: 'liquidity_by_theme',
  regime: 'regime_attention',
  contagion: 'cross_venue_contagion',
  movers: 'movers_volume_z',
  health: 'data_health',
  catalysts: 'calendar_catalysts',
  watchlist: 'watchlist_microstructure',
} as const satisfies Readonly<Record<string, PresetId>>
const SCREENS = {
  prices: 'latest_market_prices',
  regimes: 'market_regime_snapshots',
  indices: 'sf_index_snapshots',
  themes: 'liquidity_by_theme',
  bundles: 'contagion_bundles',
  watched: 'watched_objects',
  rules: 'alert_rules',
  query: 'public_query',
  context: 'public_context',
} as const satisfies Readonly<Record<string, ScreenSource>>

const subjects = <Id extends string>(
  idsByName: Readonly<Record<string, Id>>,
  subjectFor: (id: Id) => PanelSubject,
): Record<string, PanelSubject> =>
  Object.fromEntries(Object.entries(idsByName).map(([word, id]) => [word, subjectFor(id)]))

/** The words of the command line for a panel's content. */
export const SUBJECTS: Readonly<Record<string, PanelSubject>> = {
  ...subjects(PRESETS, (id) => ({ kind: 'preset', id })),
  ...subjects(SCREENS, (id) => ({ kind: 'screen', id })),
}

export const VISUALIZATIONS: typeof SERVED = [
  'table',
  'list',
  'stat',
  'gauge',
  'line',
  'bar',
  'sparkline',
]
export const WINDOWS: typeof SCREEN_WINDOWS = ['1h', '6h', '24h', '7d', '30d']
export const PANEL_ACTIONS = [
  'add',
  'edit',
  'rename',
  'remove',
  'run',
  'pause',
  'resume',
  'move',
] as const
export type PanelAction = (typeof PANEL_ACTIONS)[number]

/** The board of panels, and actions on one of them. */
export const BOARD_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'MW',
    aliases: ['BOARD'],
    area: 'Watch',
    title: 'Market watch',
    effect: 'read',
    route: '/api/dashboard2/market-watch-v2',
    help: 'Your board: live panels as tables and drawings',
    example: 'MW',
  }),
  app({
    verb: 'PANEL',
    area: 'Watch',
    title: 'Panel',
    effect: 'write',
    route: '/api/dashboard2/market-watch/panels',
    args: [
      { name: 'action', kind: 'enum', values: PANEL_ACTIONS, help: 'action; default add' },
      { name: 'show', kind: 'enum', values: Object.keys(SUBJECTS), help: 'preset or screen' },
      { name: 'number', kind: 'number', help: 'panel number' },
      { name: 'place', kind: 'number', help: 'new position' },
    ],
    filters: [
      { name: 'title', kind: 'text', help: 'panel title' },
      { name: 'as', kind: 'enum', values: VISUALIZATIONS, help: 'view' },
      { name: 'every', kind: 'span', help: 'refresh interval: 30s, 5m, 1h' },
      {
        name: 'probability',
        alias: 'p',
        kind: 'number',
        max: 1,
        help: 'probability of a screen, 0 to 1',
      },
      { name: 'window', kind: 'enum', values: WINDOWS, help: 'change window of a screen' },
      { name: 'tickers', kind: 'text', help: 'market tickers, separated by commas' },
    ],
    flags: ['manual'],
    help: 'Add, edit, rename, move, run, pause or remove a panel; press Enter again to confirm',
    example: 'PANEL add movers as=bar every=5m',
  }),
]
