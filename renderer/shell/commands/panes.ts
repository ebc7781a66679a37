import type { Component } from 'svelte'
import MarketListPane from '../../panes/lists/MarketListPane.svelte'
import type { Verb } from './commands.ts'
import type { Pane } from '../dock/pane.svelte.ts'
import type { Terminal } from '../terminal.svelte.ts'

export type PaneComponent = Component<{ terminal: Terminal; pane: Pane }>

/** The component of a verb's pane; verbs without one act on the terminal itself. */
export const PANES: Readonly<Partial<Record<Verb, PaneComponent>>> = {
  SCAN: MarketListPane,
  MOV: MarketListPane,
  NEW: MarketListPane,
  WATCH: MarketListPane,
}

type PaneLoader = () => Promise<{ readonly default: PaneComponent }>

/** Panes that are loaded when first opened, so that the page starts without them. */
export const LATER_PANES: Readonly<Partial<Record<Verb, PaneLoader>>> = {
  DES: () => import('../../panes/market/FactsPane.svelte'),
  BOOK: () => import('../../panes/market/DepthPane.svelte'),
  GP: () => import('../../panes/market/ChartPane.svelte'),
  HIST: () => import('../../panes/market/HistoryPane.svelte'),
  CHG: () => import('../../panes/lists/ChangesPane.svelte'),
  HELP: () => import('../../panes/help/HelpPane.svelte'),
  WORLD: () => import('../../panes/world/WorldPane.svelte'),
  DELTA: () => import('../../panes/world/DeltaPane.svelte'),
  EXPLAIN: () => import('../../panes/world/ExplainPane.svelte'),
  TRAIL: () => import('../../panes/world/TrailPane.svelte'),
  DISP: () => import('../../panes/world/DispersionPane.svelte'),
  CATL: () => import('../../panes/world/CatalystPane.svelte'),
  IDX: () => import('../../panes/world/IndexPane.svelte'),
  REG: () => import('../../panes/world/RegimePane.svelte'),
  GLOSS: () => import('../../panes/reference/GlossaryPane.svelte'),
  XV: () => import('../../panes/crossvenue/PairPane.svelte'),
  CONT: () => import('../../panes/structure/ContagionPane.svelte'),
  XVP: () => import('../../panes/crossvenue/PairsPane.svelte'),
  EDGE: () => import('../../panes/edges/EdgesPane.svelte'),
  IDEA: () => import('../../panes/edges/IdeasPane.svelte'),
  HIGH: () => import('../../panes/edges/HighlightsPane.svelte'),
  YC: () => import('../../panes/structure/CurvesPane.svelte'),
  ODDS: () => import('../../panes/structure/OddsPane.svelte'),
  CALIB: () => import('../../panes/structure/CalibrationPane.svelte'),
  LIQ: () => import('../../panes/structure/LiquidityPane.svelte'),
  CAL: () => import('../../panes/answers/CalendarPane.svelte'),
  BRIEF: () => import('../../panes/answers/BriefingPane.svelte'),
  ASK: () => import('../../panes/answers/AnswerPane.svelte'),
  KEY: () => import('../../panes/account/KeysPane.svelte'),
  USE: () => import('../../panes/account/UsagePane.svelte'),
  ACCOUNT: () => import('../../panes/account/AccountPane.svelte'),
  TAPE: () => import('../../panes/market/TapePane.svelte'),
  MICRO: () => import('../../panes/market/MicroPane.svelte'),
  SCREEN: () => import('../../panes/reference/ScreenPane.svelte'),
  TECH: () => import('../../panes/reference/TechnicalsPane.svelte'),
  OPIN: () => import('../../panes/reference/OpinionsPane.svelte'),
  FEED: () => import('../../panes/reference/FeedPane.svelte'),
  GUIDE: () => import('../../panes/reference/GuidePane.svelte'),
  SKILL: () => import('../../panes/reference/SkillsPane.svelte'),
  DISC: () => import('../../panes/answers/DiscussionPane.svelte'),
  HEALTH: () => import('../../panes/health/HealthPane.svelte'),
  TERM: () => import('../../panes/terminal/TerminalPane.svelte'),
  SAVE: () => import('../../panes/window/LayoutsPane.svelte'),
  BIND: () => import('../../panes/window/AliasesPane.svelte'),
  ALIAS: () => import('../../panes/window/AliasesPane.svelte'),
  MW: () => import('../../panes/board/BoardPane.svelte'),
  BT: () => import('../../panes/backtests/BacktestPane.svelte'),
  SQL: () => import('../../panes/sql/SqlPane.svelte'),
  REPLAY: () => import('../../panes/replay/ReplayPane.svelte'),
  ALERT: () => import('../../panes/alerts/AlertsPane.svelte'),
  HOOK: () => import('../../panes/webhooks/WebhooksPane.svelte'),
  THES: () => import('../../panes/theses/ThesesPane.svelte'),
  POS: () => import('../../panes/portfolio/PositionsPane.svelte'),
  RISK: () => import('../../panes/portfolio/RiskPane.svelte'),
  TICKS: () => import('../../panes/portfolio/TicksPane.svelte'),
  LEDG: () => import('../../panes/portfolio/LedgerPane.svelte'),
  ATTR: () => import('../../panes/portfolio/AttributionPane.svelte'),
  INTENT: () => import('../../panes/portfolio/orders/IntentsPane.svelte'),
  TRADES: () => import('../../panes/portfolio/TradesPane.svelte'),
  VIEWS: () => import('../../panes/portfolio/notes/ViewsPane.svelte'),
  PLAN: () => import('../../panes/portfolio/notes/PlanPane.svelte'),
  SECRET: () => import('../../panes/portfolio/credentials/SecretPane.svelte'),
  FORUM: () => import('../../panes/forum/ForumPane.svelte'),
  SET: () => import('../../panes/settings/SettingsPane.svelte'),
}
