import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from '#shared/permissions.ts';

export type PermissionCheck = {
  can: (permission: Permission) => boolean;
  canAny: (permissions: readonly Permission[]) => boolean;
  canAll: (permissions: readonly Permission[]) => boolean;
};

const PermissionsContext = createContext<readonly Permission[]>([]);

/** Hands the signed-in person's permissions to everything below it. */
export function PermissionsProvider({
  permissions,
  children,
}: {
  permissions: readonly Permission[];
  children: ReactNode;
}) {
  return <PermissionsContext value={permissions}>{children}</PermissionsContext>;
}

/** What the signed-in person may do; nobody may do anything. */
export function usePermissions(): PermissionCheck {
  const held = useContext(PermissionsContext);
  const can = (permission: Permission) => held.includes(permission);
  return {
    can,
    canAny: (permissions) => permissions.some(can),
    canAll: (permissions) => permissions.every(can),
  };
}

/** Shows its children only to whom may. */
export function Can({ permission, children }: { permission: Permission; children: ReactNode }) {
  return usePermissions().can(permission) ? children : null;
}
