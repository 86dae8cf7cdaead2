import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from '#shared/permissions.ts';

export type PermissionCheck = {
  can: (permission: Permission) => boolean;
  canAny: (permissions: readonly Permission[]) => boolean;
  canAll: (permissions: readonly Permission[]) => boolean;
};

const PermissionsContext = createContext<readonly Permission[]>([]);

/** Provides the signed-in person's permissions to everything below it. */
export function PermissionsProvider({
  permissions,
  children,
}: {
  permissions: readonly Permission[];
  children: ReactNode;
}) {
  return <PermissionsContext value={permissions}>{children}</PermissionsContext>;
}

/** The permission check of the signed-in person; without one, every check is false. */
export function usePermissions(): PermissionCheck {
  const held = useContext(PermissionsContext);
  const can = (permission: Permission) => held.includes(permission);
  return {
    can,
    canAny: (permissions) => permissions.some(can),
    canAll: (permissions) => permissions.every(can),
  };
}

/** Renders its children only for people with the permission. */
export function Can({ permission, children }: { permission: Permission; children: ReactNode }) {
  return usePermissions().can(permission) ? children : null;
}
