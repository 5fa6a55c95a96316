"""The meta-model: components, their interface points, and the lines between them.   NAK 24.2"""

from flexor.cosim.meta_model.declaration import Connection as Connection
from flexor.cosim.meta_model.declaration import InterfacePoint as InterfacePoint
from flexor.cosim.meta_model.declaration import MetaModel as MetaModel
from flexor.cosim.meta_model.declaration import SubModel as SubModel
from flexor.cosim.meta_model.file import load as load
from flexor.cosim.meta_model.file import save as save
