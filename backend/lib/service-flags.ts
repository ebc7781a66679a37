/**
 * Flags of Node for the process of the service. Answers leave many objects that die young: with the
 * young generation of 16 MB that Node begins with, a dossier's slowest hundredth waited 23 ms, most
 * of it for collections that copied what an answer still used; with 64 MB it waits 14 ms.
 */
export const SERVICE_FLAGS: readonly string[] = ['--max-semi-space-size=64']
