import { covered, type Requirement } from './requirement.ts'

/** The desktop around the page: links, menus, tray, windows of single panes, crashes, restarts. */
export const TERMINAL_DESKTOP: readonly Requirement[] = [
  covered('terminal.desktop.link', '4.2', 'augury://open opens panes and never writes'),
  covered('terminal.desktop.menus', '4.2', 'native menus are built from the page’s command table'),
  covered('terminal.desktop.tray', '4.2', 'the tray opens, shows the data’s state, pauses, quits'),
  covered('terminal.desktop.notify', '4.2', 'notifications are shown, or the reason why not'),
  covered(
    'terminal.desktop.crash',
    '4.2',
    'a crashed page is restored with its layout, not forever',
  ),
  covered('terminal.desktop.restart', '4.2', 'the service restarts and the page stays'),
  covered('terminal.desktop.pop-out', '4.2', 'a pane opens in a new window'),
  covered('terminal.desktop.pace', '4.2', 'a chart is drawn at most four times a second'),
  covered('terminal.desktop.secrets', '4.2', 'without a keyring secrets are kept in memory only'),
  covered('terminal.desktop.package', '4.2', 'the packaged app starts on a plain Node'),
]
