import { formMessages } from '#shared/features/checks/form-messages.ts';
import { sortByName } from '#shared/text/name-keys.ts';
import type { PickerOption } from '../../../../ui/fields/picker-props.ts';
import type { DueSites } from '../../due/due-sites.ts';

type Site = { id: string; name: string; clientName: string };

/**
 * Returns the options of the site picker: sites of today's round, then sites where the check is due, then the rest,
 * each marked if due. Without a round or due sites they are grouped by client.
 */
export function siteOptions(
  sites: readonly Site[],
  due: DueSites | undefined,
  round: readonly string[],
): PickerOption[] {
  const clients = new Set(sites.map((site) => site.clientName));
  const sorted = sortByName(
    sortByName(sites, ({ name }) => name),
    ({ clientName }) => clientName,
  );
  const byId = new Map(sites.map((site) => [site.id, site]));
  const dueAt = new Map(due?.sites.map((site) => [site.id, site]));
  const known = (ids: Iterable<string>) => [...ids].flatMap((id) => byId.get(id) ?? []);
  const first = known(round);
  const then = known(dueAt.keys()).filter(({ id }) => !round.includes(id));
  if (first.length + then.length === 0) {
    return sorted.map((site) => option(site, clients.size > 1 ? site.clientName : undefined));
  }
  const others = sorted.filter(({ id }) => !dueAt.has(id) && !round.includes(id));
  const { groups } = formMessages;
  return [
    ...first.map((site) => option(site, groups.round)),
    ...then.map((site) => option(site, groups.due)),
    ...others.map((site) => option(site, groups.others)),
  ];

  function option({ id, name, clientName }: Site, group: string | undefined): PickerOption {
    const found = dueAt.get(id);
    return {
      id,
      label: name,
      group,
      detail: clients.size > 1 && group !== clientName ? clientName : undefined,
      mark:
        found === undefined
          ? undefined
          : found.isOverdue
            ? { text: 'Overdue', tone: 'bad' }
            : { text: 'Due', tone: 'due' },
    };
  }
}
