import { covered, type Requirement } from './requirement.ts'

/** Theses: claims with the conditions and markets that bear on them. */
export const THESES: readonly Requirement[] = [
  covered('theses.create.rules', '2.11', 'a thesis is formed from a claim without a model'),
  covered('theses.create.queued', '4.5', 'create answers at once and forms in the background'),
  covered('theses.create.refused', '7', 'a text that is no claim is refused with a reason'),
  covered('theses.status.moves', '3', 'states change as documented, and deletion is final'),
  covered('theses.evaluate.signals', '4.5', 'an evaluation consumes each signal once'),
  covered('theses.signal.refused', '7', 'a signal without type or content is refused'),
  covered('theses.tree.edit', '4.5', 'edits of the tree are whole and recorded'),
  covered('theses.kill.fires', '3', 'a met kill condition kills a thesis once'),
  covered('theses.what-if.writes-nothing', '4.5', 'a what-if stores nothing'),
  covered('theses.list.pages', '4.5', 'own theses are listed page by page'),
  covered('theses.public.pages', '4.2', 'the page of a published thesis, without scripts'),
  covered('client.cli.thesis', '5', 'theses on the command line'),
  covered('terminal.theses.list', 'ui', 'own theses in a table, deleted after a typed word'),
  covered('terminal.theses.form', 'ui', 'a claim is checked while it is typed, then formed'),
  covered('terminal.theses.tree', 'ui', 'conditions as an outline and as a graph'),
  covered(
    'terminal.theses.what-if',
    'ui',
    'confidence and edges under edits, computed in the page',
  ),
  covered('theses.terminal.done', 'ui', 'a thesis from its claim to its public page in a browser'),
  covered('theses.terminal.sections', 'ui', 'sections without violations, hostile, at 320 px'),
  covered('terminal.theses.edit', 'ui', 'edits are saved, undone, evaluated and published'),
  covered('theses.publish.public', '3', 'a published thesis is public until it is unpublished'),
]
